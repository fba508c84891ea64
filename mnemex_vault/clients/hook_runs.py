"""What the hooks of a client do: give the brief and what fits, keep what would be lost, count what was used."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Unpack

from mnemex_vault.app import App
from mnemex_vault.clients.connecting import WHAT_TO_SAVE
from mnemex_vault.clients.places import ClientName
from mnemex_vault.clients.transcript import Turn, listed_ids, turns_of
from mnemex_vault.disk.state import keep_newest, private_folder, write_private
from mnemex_vault.domain.similarity import tokens
from mnemex_vault.errors import InvalidInput, MnemexError, NotAllowed
from mnemex_vault.index.ranking import Hit
from mnemex_vault.language.activation import heard_in, save_finding, vetoes_of
from mnemex_vault.language.intent import Veto, is_known, touched
from mnemex_vault.language.names import entities_of
from mnemex_vault.language.words import ADVERBS, EMPTY, MODALS, VERBS
from mnemex_vault.memories.brief import told
from mnemex_vault.memories.conversations import Event
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.recall import Page, Request
from mnemex_vault.memories.recalled import Recalled, framed, origin_of

# Which of the recalled memories an answer relied on, told by the words that only they brought into it.

_COMMON = EMPTY | ADVERBS | MODALS | VERBS
_LEAST_WORDS = 2
_LEAST_SHARE = 0.3


def relied_on(answer: str, recalled: Mapping[str, str], *, asked: str = "") -> list[str]:
    """Return the ids of the texts whose distinctive words occur in the answer.

    Distinctive are words that neither the question nor another recalled text has; two of them and three in ten are
    needed, or the only one there is.

    >>> texts = {"a": "Anna is allergic to walnuts and hazelnuts.", "b": "Ben prefers opera in Verona."}
    >>> relied_on("A risotto without walnuts or hazelnuts.", texts, asked="What shall I cook for Anna and Ben?")
    ['a']
    """
    words = {name: _telling(text) for name, text in recalled.items()}
    shared = Counter(word for each in words.values() for word in each)
    known = _telling(asked)
    said = _telling(answer)
    found = []
    for name, own in words.items():
        distinctive = {word for word in own if shared[word] == 1} - known
        hits = len(distinctive & said)
        enough = hits >= min(_LEAST_WORDS, len(distinctive)) and hits >= _LEAST_SHARE * len(distinctive)
        if distinctive and enough:
            found.append(name)
    return found


def _telling(text: str) -> set[str]:
    return {word for word in map(str, tokens(text)) if word not in _COMMON and len(word) > 1}


# the name of a transcript of Codex begins so
_ROLLOUT = "rollout-"
SURE = 0.9
# marks of so many sessions are kept: one that old is not gone on with
_MOST_SESSIONS = 500
_MOST_SAVED = 10
_LONGEST = 1_000
# a prompt of fewer words asks for nothing, and no more characters of a longer one say what it is about
_ASKS_FROM = 3
_ASKED = 1_000
_MOST_GIVEN = 5
# it is as likely as not about what was asked, and lacks no name of it
_LIKELY = 0.5
_PREVIEW = 300
# so much of what was read before is looked at again: somebody may have asked there not to keep what follows
_LOOK_BACK = 100_000
_TO_BE_JUDGED = f"""\
Before this conversation was compacted, the user wrote in a language that mnemex does not know, so nothing of that was
saved. Judge it yourself, and call save_memory for what lasts. In the words of the user:
{WHAT_TO_SAVE}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookCall:
    """What a client tells a hook; `plain` tells that it takes the brief without a frame, as Cursor does."""

    session: str
    transcript: Path | None
    folder: str
    plain: bool = False
    prompt: str = ""
    client: str = ClientName.CLAUDE_CODE

    @classmethod
    def of(cls, payload: str) -> HookCall:
        """Return the call in a JSON text; raises InvalidInput for anything else."""
        try:
            given: Any = json.loads(payload or "{}")
        except ValueError as error:
            raise InvalidInput("input", "is not the JSON that a client gives a hook") from error
        if not isinstance(given, dict):
            raise InvalidInput("input", "is not the JSON that a client gives a hook")
        path = given.get("transcript_path")
        roots = given.get("workspace_roots")
        folder = given.get("cwd") or (roots[0] if isinstance(roots, list) and roots else "")
        session = given.get("session_id") or given.get("conversation_id") or given.get("sessionId") or ""
        return cls(
            session=str(session),
            transcript=Path(path) if isinstance(path, str) and path else None,
            folder=str(folder),
            plain="conversation_id" in given,
            prompt=str(given.get("prompt") or ""),
            client=_client(given),
        )

    def answer(self, text: str, event: str = "SessionStart") -> dict[str, object]:
        """Return what the client takes as context for a new session, or for another event of it."""
        if self.plain:
            return {"additional_context": text}
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}

    @property
    def project(self) -> str | None:
        """Return the name of the folder that the conversation is about."""
        return PurePath(self.folder).name or None


def _client(given: Mapping[str, Any]) -> ClientName:
    """Return whose payload it is, by what only that client calls so."""
    if "conversation_id" in given:
        return ClientName.CURSOR
    if "sessionId" in given:
        return ClientName.VSCODE
    transcript = PurePath(str(given.get("transcript_path") or "")).name
    return ClientName.CODEX if transcript.startswith(_ROLLOUT) else ClientName.CLAUDE_CODE


def _note(app: App, call: HookCall, **event: Unpack[Event]) -> None:
    if call.session:
        app.conversations.note(call.client, f"session {call.session}", now=app.memories.now(), **event)


def brief(app: App, call: HookCall) -> str:
    """Return the session brief, "" if there is nothing to say."""
    marks = _Marks(app)
    said = _TO_BE_JUDGED if marks.take_unjudged(call.session) else ""
    text = framed(said, told(app.brief.make(project=call.project)))
    _note(app, call, project=call.project, briefed=True)
    marks.note_brief(call.session, listed_ids(text))
    return text


def fitting(app: App, call: HookCall) -> str:
    """Return what fits a prompt well and the session has not been given yet, "" if nothing does.

    A prompt that is a word or two asks for nothing. What waits for a person's yes is not given unasked.
    """
    if len(tokens(call.prompt)) < _ASKS_FROM:
        return ""
    names = _names(app, call.prompt[:_ASKED])
    page = app.recall.search(Request(query=call.prompt[:_ASKED], project=call.project, review=False))
    marks = _Marks(app)
    given = marks.brief_of(call.session)
    hits = [hit for hit in page.answers if _fits(app, page, hit, names) and hit.entry.item_id not in given][
        :_MOST_GIVEN
    ]
    if not hits:
        return ""
    marks.note_brief(call.session, [*given, *(hit.entry.item_id for hit in hits)])
    _note(app, call, project=call.project, briefed=True)
    previews = app.recall.previews(hits, length=_PREVIEW, found=page.found)
    return framed(
        "",
        [
            Recalled(name=each.hit.entry.item_id, origin=origin_of(each.hit.entry.origin), text=each.text)
            for each in previews
        ],
    )


def _names(app: App, prompt: str) -> set[str]:
    """Return the words of names in a prompt: the capital that begins a sentence makes none."""
    found = entities_of(prompt, app.vocabulary.lexicon())
    return {str(word) for entity in found for word in tokens(entity.name)}


def _fits(app: App, page: Page, hit: Hit, names: Set[str]) -> bool:
    fit = page.fit(hit)
    if fit is None or fit.chance < _LIKELY or not app.memories.trusts(hit.entry):
        return False
    return names.isdisjoint(str(word) for lacking in fit.names for word in tokens(lacking))


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The titles of what was saved, and how many sentences asked not to be kept."""

    saved: Sequence[str]
    refused: int


def keep_before_compaction(app: App, call: HookCall) -> Kept:
    """Save what the person said that lasts and that the assistant did not save.

    Only what is surely meant to last is taken, in the person's own words, nothing that is known already, and nothing
    near to what was asked not to be kept, in whichever turn that was asked. What is in a language that is not known is
    left to the client's model, when it asks for the next brief.
    """
    marks = _Marks(app)
    before, turns = marks.read_on(call, "compaction")
    if not is_known("\n".join(turn.said for turn in turns)):
        marks.note_unjudged(call.session)
    lexicon = app.vocabulary.lexicon()
    said = [(turn, heard_in(turn.said, lexicon)) for turn in (*before, *turns)]
    vetoes = [veto for _, heard in said for veto in vetoes_of(heard, lexicon)]
    told = [(turn, each.sentence.text) for turn, heard in said for each in heard]
    first_new = sum(len(heard) for _, heard in said[: len(before)])
    saved: list[str] = []
    for (turn, sentence), veto in list(zip(told, touched(vetoes), strict=True))[first_new:]:
        if veto is None and not turn.saved and len(saved) < _MOST_SAVED and _is_to_last(app, sentence):
            title = _save(app, sentence, call)
            saved += [title] if title else []
    return Kept(saved=saved, refused=vetoes[first_new:].count(Veto.REFUSED))


def _is_to_last(app: App, sentence: str) -> bool:
    if len(sentence) > _LONGEST:
        return False
    finding = save_finding(sentence, app.vocabulary.lexicon())
    return finding.should_save and finding.confidence >= SURE and not app.collection.similar_to(sentence)


def _save(app: App, sentence: str, call: HookCall) -> str | None:
    draft = Draft(
        content=sentence,
        tags=None,
        entities=None,
        strength=None,
        project=call.project,
        session=f"session {call.session}"[:100] if call.session else None,
        source="said before the conversation was compacted",
        on_duplicate="refuse",
    )
    try:
        return app.collection.save(draft).memory.title
    except (InvalidInput, NotAllowed):
        # known already, or a secret, or a vault that is only read
        return None


def count_after_answer(app: App, call: HookCall) -> list[str]:
    """Count a use of each recalled memory that the last answers relied on; return their ids."""
    marks = _Marks(app)
    if not app.settings.auto_reinforce or app.settings.read_only:
        return []
    recalled = marks.brief_of(call.session)
    used: list[str] = []
    for turn in marks.new_turns(call, "answer"):
        recalled += turn.recalled
        texts = _texts(app, recalled)
        found = relied_on("\n".join(turn.answer), texts, asked=turn.said)
        used += [each for each in found if each not in turn.reported]
    used = list(dict.fromkeys(used))
    app.collection.use(used, now=app.memories.now())
    if used:
        _note(app, call, project=call.project, relied=used)
    return used


def _texts(app: App, ids: Sequence[str]) -> dict[str, str]:
    texts = {}
    for memory_id in dict.fromkeys(ids):
        entry = app.memories.notes.by_id(memory_id)
        if entry is not None and entry.is_memory and app.memories.may_read(entry):
            try:
                texts[memory_id] = f"{entry.title}\n{app.memories.note(entry).content}"
            except MnemexError:
                continue
    return texts


def _turns(lines: bytes) -> list[Turn]:
    return turns_of(lines.decode("utf-8", "replace").splitlines())


class _Marks:
    """How far the transcript of each session has been read, in the state folder."""

    def __init__(self, app: App) -> None:
        self._folder = app.state / "hooks"

    def new_turns(self, call: HookCall, purpose: str) -> list[Turn]:
        """Return the turns since the last call for this purpose; they count as read."""
        return self.read_on(call, purpose)[1]

    def read_on(self, call: HookCall, purpose: str) -> tuple[list[Turn], list[Turn]]:
        """Return the turns shortly before the last call for this purpose, and those since, which count as read."""
        if call.transcript is None:
            return [], []
        try:
            data = call.transcript.read_bytes()
        except OSError as error:
            raise InvalidInput("transcript_path", f"cannot be read: {error.strerror}") from error
        marks = self._read(call.session)
        at = marks.get(purpose, 0)
        start = at if isinstance(at, int) and 0 <= at <= len(data) else 0
        whole = data.rfind(b"\n") + 1
        self._write(call.session, {**marks, purpose: max(start, whole)})
        return _turns(data[max(0, start - _LOOK_BACK) : start]), _turns(data[start:whole])

    def note_brief(self, session: str, ids: list[str]) -> None:
        """Remember what the brief of a session showed."""
        self._write(session, {**self._read(session), "brief": ids})

    def brief_of(self, session: str) -> list[str]:
        """Return what the brief of a session showed."""
        shown = self._read(session).get("brief")
        return [each for each in shown if isinstance(each, str)] if isinstance(shown, list) else []

    def note_unjudged(self, session: str) -> None:
        """Remember that somebody else has to judge what was said in a session."""
        self._write(session, {**self._read(session), "unjudged": True})

    def take_unjudged(self, session: str) -> bool:
        """Tell whether somebody else has to judge what was said in a session, once."""
        marks = self._read(session)
        if not marks.pop("unjudged", False):
            return False
        self._write(session, marks)
        return True

    def _file(self, session: str) -> Path:
        return self._folder / f"{hashlib.sha256(session.encode('utf-8', 'replace')).hexdigest()[:20]}.json"

    def _read(self, session: str) -> dict[str, Any]:
        try:
            found = json.loads(self._file(session).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _write(self, session: str, marks: dict[str, Any]) -> None:
        private_folder(self._folder)
        if not self._file(session).exists():
            keep_newest(self._folder, _MOST_SESSIONS - 1)
        write_private(self._file(session), json.dumps(marks))
