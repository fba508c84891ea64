"""Public sets that no weight may be judged by but its tuning half: where they lie, how they are split, what is asked.

Nothing of them is shipped. Each lies in a folder of its own, a git directory (read without a checkout) or plain files;
the folder holds one folder a repository, named as on GitHub, `owner+name`, with `repo` in it if it is a git directory.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath

from tests.bench.corpus import HELD_OUT, TUNING, Conversation, Question, Turn, conversation, evidence_of, merged

BEAM = "mohammadtavakoli78+BEAM"
REALTALK = "danny911kr+REALTALK"
MEMSIM = "nuster1128+MemSim"
HELP = "obsidianmd+obsidian-help"
HUB = "obsidian-community+obsidian-hub"
AUDIT = "dial481+locomo-audit"

BEAM_SPLIT = {"tuning": range(1, 8), "report": range(8, 21)}
REALTALK_SPLIT = {"tuning": range(1, 4), "report": range(4, 11)}
LOCOMO_SPLIT = {"tuning": TUNING, "report": HELD_OUT}
# trajectories with an odd number are for tuning, targets of links whose hash is even
MEMDAILY_ODD = {"tuning": 1, "report": 0}
LINKS_ODD = {"tuning": 0, "report": 1}

MEMDAILY_POOL, MEMDAILY_POOLS = 50, 8
LINKS_ASKED = {HELP: 400, HUB: 300}
ALONE = 1000
BESIDE = (0, 40, 100, 400)
# what a memory of facts cannot answer by finding one: told apart in the tables
RULES = frozenset({"instruction_following", "preference_following"})


@dataclass(frozen=True, slots=True)
class Vault:
    """Notes and questions that belong together; `ordinary` tells that the texts are whole files, not memories."""

    name: str
    talk: Conversation
    ordinary: bool = False


class Files:
    """The files of a repository, of its newest commit if it is a git directory."""

    def __init__(self, base: Path, name: str) -> None:
        self.root = base / name / "repo" if (base / name / "repo").is_dir() else base / name

    @cached_property
    def names(self) -> list[str]:
        if self._bare:
            found = self._git("ls-tree", "-r", "-z", "--name-only", "HEAD").decode().split("\0")
            return sorted(filter(None, found))
        paths = (path for path in self.root.rglob("*") if path.is_file())
        return sorted(path.relative_to(self.root).as_posix() for path in paths)

    def text(self, name: str) -> str:
        data = self._git("show", f"HEAD:{name}") if self._bare else (self.root / name).read_bytes()
        return data.decode("utf-8", "replace")

    def json(self, name: str) -> object:
        return json.loads(self.text(name))

    def texts(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield name and text of many files; those that the snapshot lacks are left out."""
        if not self._bare:
            yield from ((name, self.text(name)) for name in names)
            return
        asked = "".join(f"HEAD:{name}\n" for name in names).encode()
        data = self._git("cat-file", "--batch", given=asked)
        place = 0
        for name in names:
            end = data.index(b"\n", place)
            header = data[place:end]
            place = end + 1
            if header.endswith(b"missing"):
                continue
            size = int(header.rsplit(b" ", 1)[1])
            yield name, data[place : place + size].decode("utf-8", "replace")
            place += size + 1

    @property
    def _bare(self) -> bool:
        return (self.root / "HEAD").is_file() and (self.root / "objects").is_dir()

    def _git(self, *arguments: str, given: bytes | None = None) -> bytes:
        command = ["git", "-c", "safe.directory=*", f"--git-dir={self.root}", *arguments]
        return subprocess.run(command, input=given, capture_output=True, check=True).stdout


def beam(base: Path, split: str) -> list[Vault]:
    """One vault a chat; each of its batches is a session."""
    files = Files(base, BEAM)
    return [Vault(f"BEAM {number}", _beam(files, number)) for number in BEAM_SPLIT[split]]


def _beam(files: Files, number: int) -> Conversation:
    folder = f"chats/100K/{number}"
    turns = tuple(_beam_turns(files.json(f"{folder}/chat.json"), number))
    asked = files.json(f"{folder}/probing_questions/probing_questions.json")
    assert isinstance(asked, dict)
    known = {turn.path for turn in turns}
    questions = []
    for category, items in asked.items():
        for item in items:
            evidence = frozenset(_beam_path(number, each) for each in _numbers(item.get("source_chat_ids"))) & known
            if evidence:
                questions.append(Question(item["question"], evidence, category))
    return Conversation(turns, tuple(questions))


def _beam_turns(chat: object, number: int) -> Iterator[Turn]:
    assert isinstance(chat, list)
    day = datetime(2024, 1, 1, tzinfo=UTC)
    for batch in chat:
        for message in (message for exchange in batch["turns"] for message in exchange):
            if message.get("time_anchor"):
                day = datetime.strptime(message["time_anchor"], "%B-%d-%Y").replace(tzinfo=UTC)
            text = re.sub(r"\s*->->.*", "", message["content"])
            created = day + timedelta(seconds=message["id"])
            session = f"{number} batch {batch['batch_number']}"
            yield Turn(_beam_path(number, message["id"]), session, message["role"], text, created)


def beam_updates(base: Path, split: str) -> list[tuple[Vault, list[tuple[str, frozenset[str], frozenset[str]]]]]:
    """Return for each chat the questions about what changed, with the paths of the old and of the new statement."""
    files, found = Files(base, BEAM), []
    for number in BEAM_SPLIT[split]:
        asked = files.json(f"chats/100K/{number}/probing_questions/probing_questions.json")
        assert isinstance(asked, dict)
        cases = []
        for item in asked["knowledge_update"]:
            pairs = [
                frozenset(_beam_path(number, each) for each in _numbers(item["source_chat_ids"].get(name)))
                for name in ("original_info", "updated_info")
            ]
            cases.append((item["question"], pairs[0], pairs[1]))
        found.append((Vault(f"BEAM {number}", _beam(files, number)), cases))
    return found


def _beam_path(number: int, message: int) -> str:
    return f"{number}/M{message}.md"


def _numbers(value: object) -> Iterator[int]:
    """Yield all numbers in lists within lists and tables."""
    if isinstance(value, int):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _numbers(each)


def realtalk(base: Path, split: str) -> list[Vault]:
    """One vault a chat of two people, a note a turn."""
    files = Files(base, REALTALK)
    named = {int(m[1]): m[0] for n in files.names if (m := re.fullmatch(r"data/Chat_(\d+)_\w+\.json", n))}
    return [
        Vault(f"REALTALK {number}", _realtalk(files.json(named[number]), number)) for number in REALTALK_SPLIT[split]
    ]


def _realtalk(data: object, number: int) -> Conversation:
    assert isinstance(data, dict)
    turns: dict[str, Turn] = {}
    session = 1
    while f"session_{session}" in data:
        for turn in data[f"session_{session}"]:
            path = _dialogue_path(number, turn["dia_id"])
            created = datetime.strptime(turn["date_time"], "%d.%m.%Y, %H:%M:%S").replace(tzinfo=UTC)
            text = f"{turn['speaker']}: {turn['clean_text']}"
            turns[path] = Turn(path, f"{number} session {session}", turn["speaker"], text, created)
        session += 1
    questions = []
    for item in data["qa"]:
        found = re.findall(r"D:?\s*(\d+):(\d+)", " ".join(map(str, item.get("evidence", ()))))
        evidence = frozenset(f"{number}/D{int(s)}-{int(t)}.md" for s, t in found) & turns.keys()
        if evidence:
            questions.append(Question(item["question"], frozenset(evidence), item["category"]))
    return Conversation(tuple(turns.values()), tuple(questions))


def _dialogue_path(number: int, dialogue_id: str) -> str:
    session, turn = (int(part) for part in re.findall(r"\d+", dialogue_id)[:2])
    return f"{number}/D{session}-{turn}.md"


def locomo(archive: Path, split: str) -> list[Vault]:
    return [Vault(f"LoCoMo {number}", conversation(archive, number)) for number in LOCOMO_SPLIT[split]]


def locomo_merged(archive: Path, split: str) -> list[Vault]:
    """All conversations of the split in one vault; for the report all five."""
    numbers = TUNING if split == "tuning" else (*TUNING, *HELD_OUT)
    return [Vault("LoCoMo in one", merged([conversation(archive, number) for number in numbers]))]


def corrected(vaults: Sequence[Vault], base: Path) -> list[Vault]:
    """Return vaults of LoCoMo with the evidence that its audit names, where that is other evidence."""
    errors = Files(base, AUDIT).json("errors.json")
    assert isinstance(errors, list)
    found = {each["question"]: each["correct_evidence"] for each in errors if each["correct_evidence"]}
    return [replace(each, talk=_corrected(each.talk, found)) for each in vaults]


def _corrected(talk: Conversation, found: dict[str, list[str]]) -> Conversation:
    known = {turn.path for turn in talk.turns}
    questions = []
    for question in talk.questions:
        number = int(min(question.evidence).partition("/")[0])
        right = evidence_of(found.get(question.text, ()), number) & known
        questions.append(replace(question, evidence=right or question.evidence))
    return replace(talk, questions=tuple(questions))


def observations(archive: Path, split: str) -> list[Vault]:
    """What was observed in each conversation, one note an observation, all of them in one vault."""
    from zipfile import ZipFile

    talks = []
    for number in LOCOMO_SPLIT[split]:
        data = json.loads(ZipFile(archive).read(f"{number}.json"))
        talk = conversation(archive, number)
        by_path = {turn.path: turn for turn in talk.turns}
        turns: list[Turn] = []
        sources: dict[str, str] = {}
        for session, name, text, dialogue in _observed(data):
            source = by_path.get(_dialogue_path(number, dialogue))
            if source is None:
                continue
            path = f"{number}/O{session}-{len(turns)}.md"
            created = source.created + timedelta(milliseconds=len(turns))
            turns.append(Turn(path, f"{number} session {session}", name, text, created))
            sources[path] = source.path
        questions = []
        for question in talk.questions:
            evidence = frozenset(path for path, source in sources.items() if source in question.evidence)
            if evidence:
                questions.append(replace(question, evidence=evidence))
        talks.append(Conversation(tuple(turns), tuple(questions)))
    return [Vault("observations", merged(talks))]


def _observed(data: dict[str, object]) -> Iterator[tuple[int, str, str, str]]:
    session = 1
    while f"session_{session}_observation" in data:
        observed = data[f"session_{session}_observation"]
        assert isinstance(observed, dict)
        for name, pairs in observed.items():
            for text, dialogues in pairs:
                found = re.search(r"D\d+:\d+", str(dialogues))
                if found:
                    yield session, name, text, found.group()
        session += 1


def memdaily(base: Path, split: str) -> list[Vault]:
    """Chinese messages of a person; fifty trajectories of all kinds in one vault, each a session."""
    files = Files(base, MEMSIM)
    names = [name for name in files.names if "messages_and_QAs/" in name and name.endswith(".json")]
    chosen: list[tuple[int, str, dict[str, object]]] = []
    for name in names:
        data = files.json(name)
        assert isinstance(data, list)
        kind = PurePosixPath(name).stem
        chosen += [(each["tid"], kind, each) for each in data if each["tid"] % 2 == MEMDAILY_ODD[split]]
    chosen.sort(key=lambda each: (each[0], each[1]))
    pools = [chosen[start : start + MEMDAILY_POOL] for start in range(0, len(chosen), MEMDAILY_POOL)]
    return [
        Vault(f"MemDaily {n}", merged([_trajectory(*each) for each in p])) for n, p in enumerate(pools[:MEMDAILY_POOLS])
    ]


def _trajectory(number: int, kind: str, data: dict[str, object]) -> Conversation:
    session = f"{kind} {number}"
    turns, messages, asked = [], data["message_list"], data["question_list"]
    assert isinstance(messages, list)
    assert isinstance(asked, list)
    for message in messages:
        year, month, day, hour, minute = (int(part) for part in re.findall(r"\d+", message["time"])[:5])
        created = datetime(year, month, day, hour, minute, tzinfo=UTC) + timedelta(seconds=message["mid"])
        turns.append(Turn(f"{session}/{message['mid']}.md", session, "", message["message"], created))
    questions = [
        Question(each["question"], frozenset(f"{session}/{step}.md" for step in each["target_step_id"]), kind)
        for each in asked
        if each["target_step_id"]
    ]
    return Conversation(tuple(turns), tuple(questions))


def obsidian_help(base: Path, split: str) -> list[Vault]:
    return [_links(base, HELP, split)]


def obsidian_hub(base: Path, split: str) -> list[Vault]:
    return [_links(base, HUB, split)]


_LINK = re.compile(r"(?<!!)\[\[(?P<target>[^\]|#^\n]+)(?:#[^\]|\n]*)?\\?\|(?P<text>[^\]\n]+)\]\]")
_ALIASES = re.compile(r"^alias(?:es)?:.*\n(?:[ \t]+.*\n|-[ \t].*\n)*", re.MULTILINE | re.IGNORECASE)
_HEAD = re.compile(r"\A(?:\ufeff)?---[ \t]*\r?\n.*?^---[ \t]*$", re.MULTILINE | re.DOTALL)


def _links(base: Path, name: str, split: str) -> Vault:
    """The text of a link asks for its target: how people call a note elsewhere than in it."""
    files = Files(base, name)
    texts = dict(files.texts([each for each in files.names if each.endswith(".md") and not each.startswith(".")]))
    by_stem: dict[str, list[str]] = {}
    for path in texts:
        by_stem.setdefault(PurePosixPath(path).stem.casefold(), []).append(path)
    asked: dict[tuple[str, str], set[str]] = {}
    for path, text in texts.items():
        for match in _LINK.finditer(text):
            target = _target(by_stem, match["target"], path)
            words = match["text"].strip().rstrip("\\")
            if target and _odd(target) == LINKS_ODD[split] and _unlike(words, PurePosixPath(target).stem):
                asked.setdefault((words.casefold(), words), set()).add(target)
    chosen = sorted(asked)
    random.Random(1).shuffle(chosen)
    picked = chosen[: LINKS_ASKED[name]]
    questions = tuple(
        Question(each[1], frozenset(asked[each]), PurePosixPath(min(asked[each])).parts[0]) for each in picked
    )
    taken = {each[0] for each in picked}
    turns = tuple(Turn(path, "", "", _without(text, taken), _LONG_AGO) for path, text in texts.items())
    return Vault(name.partition("+")[2], Conversation(turns, questions), ordinary=True)


_LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)


def _target(by_stem: dict[str, list[str]], written: str, source: str) -> str | None:
    """Return the note that a link means; of several with the name the one in the same folder at the top."""
    bare = written.strip().rstrip("\\").removesuffix(".md")
    found = by_stem.get(PurePosixPath(bare).name.casefold(), [])
    if "/" in bare:
        found = [path for path in found if path[:-3].casefold().endswith(bare.casefold())] or found
    if len(found) > 1:
        top = PurePosixPath(source).parts[0]
        found = [path for path in found if PurePosixPath(path).parts[0] == top]
    return found[0] if len(found) == 1 and found[0] != source else None


def _odd(path: str) -> int:
    return sha256(PurePosixPath(path).name.encode()).digest()[0] % 2


def _unlike(words: str, title: str) -> bool:
    return words.casefold() != title.casefold() and bool(re.search(r"\w{2}", words))


def _without(text: str, taken: set[str]) -> str:
    """Take out the links whose text is asked for, and all aliases."""
    head = _HEAD.match(text)
    if head:
        text = _ALIASES.sub("", head.group()) + text[head.end() :]
    return _LINK.sub(lambda m: "" if m["text"].strip().rstrip("\\").casefold() in taken else m.group(), text)


def beside_a_conversation(archive: Path, split: str) -> list[Vault]:
    """A thousand notes alone hold the answers; beside them none, 40, 100 or 400 turns of one other conversation."""
    asked, rest = _talks(archive, split)
    others = [replace(turn, session="one conversation") for turn in rest]
    alone, questions = _sample(asked, ALONE)
    return [
        Vault(f"{ALONE} alone beside {count}", Conversation((*alone, *others[:count]), questions)) for count in BESIDE
    ]


def within_a_conversation(archive: Path, split: str) -> list[Vault]:
    """One conversation of 40, 100 or 400 turns holds the answers; beside it a thousand notes alone."""
    asked, pool = _talks(archive, split)
    chance = random.Random(2)
    alone = [replace(turn, session="") for turn in chance.sample(pool, min(ALONE, len(pool)))]
    vaults = []
    for count in BESIDE[1:]:
        cut = [turn for talk in asked for turn in _as_one(talk, count)]
        inside = {turn.path for turn in cut}
        questions = tuple(q for talk in asked for q in talk.questions if q.evidence <= inside)
        vaults.append(Vault(f"{count} of one beside {ALONE} alone", Conversation((*alone, *cut), questions)))
    return vaults


def _talks(archive: Path, split: str) -> tuple[list[Conversation], list[Turn]]:
    """Return the conversations that are asked about and the turns of others."""
    numbers = (26, 41) if split == "tuning" else (30, 42)
    rest = (47,) if split == "tuning" else TUNING
    asked = [conversation(archive, number) for number in numbers]
    return asked, [turn for number in rest for turn in conversation(archive, number).turns]


def _as_one(talk: Conversation, count: int) -> list[Turn]:
    name = talk.turns[0].path.partition("/")[0]
    return [replace(turn, session=f"conversation {name}") for turn in talk.turns[:count]]


def _sample(talks: Iterable[Conversation], count: int) -> tuple[list[Turn], tuple[Question, ...]]:
    """Return so many turns as notes alone, and the questions whose evidence is among them."""
    whole = merged(list(talks))
    chance = random.Random(1)
    turns = list(whole.turns) if len(whole.turns) <= count else sorted(chance.sample(whole.turns, count), key=_by_path)
    kept = {turn.path for turn in turns}
    return [replace(turn, session="") for turn in turns], tuple(q for q in whole.questions if q.evidence <= kept)


def _by_path(turn: Turn) -> str:
    return turn.path


SETS: dict[str, Callable[[Path, str], list[Vault]]] = {
    "beam": beam,
    "realtalk": realtalk,
    "locomo": locomo,
    "locomo-one": locomo_merged,
    "observations": observations,
    "memdaily": memdaily,
    "help": obsidian_help,
    "hub": obsidian_hub,
    "beside": beside_a_conversation,
    "within": within_a_conversation,
}
FROM_ARCHIVE = frozenset({"locomo", "locomo-one", "observations", "beside", "within"})


def load(name: str, repositories: Path, archive: Path, split: str) -> list[Vault]:
    return SETS[name](archive if name in FROM_ARCHIVE else repositories, split)
