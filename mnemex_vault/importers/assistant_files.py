"""What coding assistants keep in files of their own: the memory folders of Claude Code and of Codex.

A file is a memory, and one that gathers many is as many as it has sections. Lists that only lead to other files are
told and left out.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from pathlib import Path, PurePosixPath, PureWindowsPath

from mnemex_vault.disk.state import replace_private
from mnemex_vault.domain.memory import RelationType, Tier, Usage
from mnemex_vault.errors import NotPossible
from mnemex_vault.importers.findings import Connection, Findings, Problem, Record, derived_id, excerpt, together
from mnemex_vault.importers.markdown_folder import read_markdown
from mnemex_vault.index.description import content_key
from mnemex_vault.language.folding import name_key
from mnemex_vault.memories.face import Memories
from mnemex_vault.text.blocks import outline
from mnemex_vault.text.ours import without_ours
from mnemex_vault.text.values import file_time

CLAUDE_CODE, CODEX = "Claude Code", "Codex"
INDEX = "MEMORY.md"
_SUMMARY = "memory_summary.md"
# of what these were made from the memories of Codex were drawn already
_CODEX_SOURCES = ("raw_memories.md", "rollout_summaries", "skills")
_DEPTH = 2
_BOLD_LINE = re.compile(r"^\*\*([^*\n]{1,120})\*\*:?[ \t]*$", re.MULTILINE)
_LEADS_TO = re.compile(r"^\s*[-*+]\s+\[[^\]\n]*\]\(([^)\n]+\.md)\)[^\n]*$")
_TOLD_OF = re.compile(r"what's in memory", re.IGNORECASE)
_FOLDER_OF = re.compile(r"\bcwd=([^;\n]+)")
_TALK = "*.jsonl"
_LINES_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a text: the headings that it stands under, the nearest last, and its words."""

    headings: tuple[str, ...]
    text: str


def sections(text: str, depth: int = _DEPTH) -> list[Section]:
    r"""Return the parts of a text that begin with headings down to a level, or with a line in bold.

    A heading with nothing under it is what it says.

    >>> sections("# Me\n\n**Work**\n\nI teach.\n## Call Anna")
    [Section(headings=('Me', 'Work'), text='I teach.'), Section(headings=('Me',), text='Call Anna')]
    """
    layout = outline(text)
    marks = [(each.start, each.level, each.text) for each in layout.headings if each.level <= depth]
    marks += (
        (match.start(), depth + 1, match[1].rstrip(":").strip())
        for match in _BOLD_LINE.finditer(text)
        if any(start <= match.start() < stop for start, stop in layout.spans)
    )
    return list(_parted(text, sorted(marks)))


def _parted(text: str, marks: Sequence[tuple[int, int, str]]) -> Iterator[Section]:
    first = text[: marks[0][0] if marks else len(text)].strip()
    if first:
        yield Section((), first)
    above: list[tuple[int, str]] = []
    for number, (start, level, title) in enumerate(marks):
        above = [each for each in above if each[0] < level]
        end, following = (marks[number + 1][0], marks[number + 1][1]) if number + 1 < len(marks) else (len(text), 0)
        body = text[start:end].partition("\n")[2].strip()
        headings = tuple(each for _, each in above)
        if body:
            yield Section((*headings, title), body)
        elif following <= level and title:
            yield Section(headings, title)
        above.append((level, title))


def claude_code_folders(path: Path) -> list[Path]:
    """Return the memory folders at a path: one itself, that of a project, or those of all projects below."""
    if path.name == "memory" and path.is_dir():
        return [path]
    found = (path / "memory", *path.glob("*/memory"), *path.glob("projects/*/memory"))
    return sorted(folder for folder in found if folder.is_dir() and any(folder.glob("*.md")))


def codex_folder(path: Path) -> Path | None:
    """Return the folder in which Codex keeps its memories, at a path or below it."""
    places = (path, path / "memories")
    return next((each for each in places if (each / _SUMMARY).is_file() and (each / INDEX).is_file()), None)


def read_claude_code(path: Path, *, zone: tzinfo, knows: Callable[[str], bool] = lambda _: False) -> Findings:
    """Return the memories of each project's memory folder. Raises NotPossible if there is none.

    What is ours in them is left out: a brief, a block, lines of a brief that tell a memory which `knows` by its id.
    """
    folders = claude_code_folders(path)
    if not folders:
        raise NotPossible(str(path), "has no memory folder of Claude Code (projects/*/memory with notes in it)")
    return together(_claude_code_project(folder, zone, knows) for folder in folders)


def _claude_code_project(folder: Path, zone: tzinfo, knows: Callable[[str], bool]) -> Findings:
    found = read_markdown(folder, zone=zone)
    project = _project_of(folder.parent)
    records: list[Record] = []
    remarks = list(found.remarks)
    for record in found.records:
        # an empty file is read as a memory that says its name
        said = "" if record.content == record.title else record.content
        content = without_ours(said, knows)
        if content != said:
            remarks.append(Problem(f"{folder.parent.name}/{record.place}", "holds a brief of ours, which is left out"))
            if not content.strip():
                continue
        ours = replace(
            record,
            content=content or record.content,
            id=derived_id(f"{folder.parent.name}/{record.place}", store=CLAUDE_CODE),
            project=record.project or project,
            source=record.source or CLAUDE_CODE,
            origin="ai",
        )
        if record.place == INDEX:
            text, left_out = _without_leads(folder, content)
            remarks += left_out
            records += _in_sections(replace(ours, content=text), CLAUDE_CODE)
        else:
            records.append(_described(ours))
    return replace(found, records=tuple(records), remarks=tuple(remarks))


def _described(record: Record) -> Record:
    """Let the name and the description that the assistant gave to a file be title and context."""
    properties = dict(record.properties)
    name, description = properties.pop("name", None), properties.pop("description", None)
    title = str(name).replace("-", " ").replace("_", " ").strip() if name else record.title
    context = " ".join(str(description).split()) if description else record.context
    return replace(record, title=title, context=context, properties=properties)


def _without_leads(folder: Path, text: str) -> tuple[str, list[Problem]]:
    """Return the text without the lines that only lead to another file of the folder, and these lines."""
    kept: list[str] = []
    left_out: list[Problem] = []
    for line in text.splitlines():
        leads = _LEADS_TO.match(line)
        if leads and (folder / leads[1]).is_file():
            left_out.append(Problem(f"{folder.parent.name}/{INDEX}", f"only leads to {leads[1]}: {excerpt(line)}"))
        else:
            kept.append(line)
    return "\n".join(kept), left_out


def _in_sections(whole: Record, store: str) -> Iterator[Record]:
    """Yield each section of a text as a memory of its own, its heading as title."""
    for section in sections(whole.content):
        yield replace(
            whole,
            id=derived_id(f"{whole.id}\n{' / '.join(section.headings)}\n{section.text}", store=store),
            title=section.headings[-1] if section.headings else None,
            content=section.text,
            context=" / ".join(section.headings[:-1]) or whole.context,
            name=None,
            names=(),
            aliases=(),
        )


def _project_of(folder: Path) -> str | None:
    """Return the name of the folder in which a project's talks were held, as they tell it."""
    for talk in sorted(folder.glob(_TALK)):
        with talk.open("rb") as file:
            for line in (file.readline(1 << 20) for _ in range(_LINES_LOOKED_AT)):
                name = _told_folder(line)
                if name:
                    return name
    # slashes became hyphens, and so did what was one
    return folder.name.rpartition("-")[2] or None


def _told_folder(line: bytes) -> str | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    told = value.get("cwd") if isinstance(value, dict) else None
    return _last_part(told) if isinstance(told, str) else None


def _last_part(path: str) -> str | None:
    return (PureWindowsPath(path) if "\\" in path else PurePosixPath(path)).name or None


def read_codex(path: Path) -> Findings:
    """Return what Codex keeps: sections of its two gathered files, and its notes. Raises NotPossible if none."""
    folder = codex_folder(path)
    if folder is None:
        raise NotPossible(str(path), f"is no memory folder of Codex ({INDEX} and {_SUMMARY})")
    files = [folder / INDEX, folder / _SUMMARY, *sorted(folder.glob("extensions/*/notes/*.md"))]
    sources = [
        Problem(name, "is what these memories were drawn from; --format markdown brings it in")
        for name in _CODEX_SOURCES
        if (folder / name).exists()
    ]
    return together([*(_codex_file(folder, file) for file in files), Findings(remarks=tuple(sources))])


def _codex_file(folder: Path, file: Path) -> Findings:
    place = file.relative_to(folder).as_posix()
    try:
        text, at = file.read_text("utf-8-sig"), file_time(int(file.stat().st_mtime))
    except (OSError, UnicodeDecodeError) as error:
        return Findings(damaged=(Problem(place, f"cannot be read: {error}"),))
    records: list[Record] = []
    leads: list[Problem] = []
    # a group of tasks tells once in which folder it was worked
    projects: dict[str, str | None] = {}
    for section in sections(text):
        group = section.headings[0] if section.headings else ""
        told = _FOLDER_OF.search(section.text)
        if told:
            projects.setdefault(group, _last_part(told[1].strip()))
        if any(_TOLD_OF.fullmatch(heading) for heading in section.headings):
            leads.append(Problem(place, f"only leads to other memories: {excerpt(section.text)}"))
        else:
            records.append(_codex_record(section, place, at, projects.get(group)))
    return Findings(records=tuple(records), remarks=tuple(leads))


def _codex_record(section: Section, place: str, at: datetime, project: str | None) -> Record:
    return Record(
        id=derived_id(f"{place}\n{' / '.join(section.headings)}\n{section.text}", store=CODEX),
        title=section.headings[-1] if section.headings else None,
        content=section.text,
        context=" / ".join(section.headings[:-1]) or None,
        tier=Tier.LONG_TERM,
        usage=Usage(created=at, last_used=at, promoted=at),
        project=project,
        source=CODEX,
        origin="ai",
        place=place,
    )


class Intake:
    """What an assistant's files say that the vault has not taken in yet; what was is kept in one private file.

    A text that changed since becomes a memory that replaces the one of the same place, unless that was edited here.
    """

    def __init__(self, memories: Memories, path: Path) -> None:
        self._notes = memories.notes
        self._path = path
        self._last = self._read()
        self.unchanged = 0

    def knows(self, memory_id: str) -> bool:
        """Tell whether the vault has a memory of this id."""
        return self._notes.by_id(memory_id) is not None

    def fresh(self, found: Findings) -> Findings:
        """Return what is new, and tell what the vault says already in the same words."""
        numbers = Counter(map(_place, found.records))
        records: list[Record] = []
        remarks, connections = [*found.remarks], [*found.connections]
        for record in found.records:
            place, text = _place(record), content_key(record.content)
            last = self._last.get(place) if numbers[place] == 1 else None
            if last is not None and last[1] == text:
                self.unchanged += 1
            elif self._is_said(record, text):
                remarks.append(Problem(record.place, "says what the vault says already, and was left out"))
            else:
                if last is not None:
                    record = replace(record, id=derived_id(f"{last[0]}\n{text}", store=CLAUDE_CODE))
                    connections += self._replaced(record, *last)
                self._last[place] = (record.id, text)
                records.append(record)
        return replace(found, records=tuple(records), remarks=tuple(remarks), connections=tuple(connections))

    def remember(self) -> None:
        """Keep what was taken in; raises OSError."""
        replace_private(self._path, json.dumps(self._last))

    def _is_said(self, record: Record, text: str) -> bool:
        """Tell whether a memory for every project, or of the same one, says it."""
        catalog = self._notes
        saying = [each for each in catalog.same_content(text) if each.path not in catalog.superseded()]
        own = {"", name_key(record.project or "")}
        return any(each.memory_id != record.id and name_key(each.project or "") in own for each in saying)

    def _replaced(self, record: Record, old_id: str, old_text: str) -> Iterator[Connection]:
        old = self._notes.by_id(old_id)
        if old is not None and old.content_key == old_text:
            yield Connection(source_id=record.id, target_id=old_id, type=RelationType.SUPERSEDES)

    def _read(self) -> dict[str, tuple[str, str]]:
        try:
            kept = json.loads(self._path.read_text("utf-8"))
            return {str(place): (str(memory_id), str(text)) for place, (memory_id, text) in kept.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}


def _place(record: Record) -> str:
    return "\n".join((record.project or "", record.place, record.context or "", record.title or ""))
