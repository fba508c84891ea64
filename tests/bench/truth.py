"""What stands first when facts change, and what is told when they do; run `python -m tests.bench.truth`.

The held-out pairs of `tests/vectors/truth` are saved into one vault, the older statements first. Of those that were
replaced the present one is to stand above the old one, and the other way round if it is asked how it was; of two that are
both true each is to be first for its own question. What is told late of how it was once (`late.txt`, saved after the
present, in a vault of its own) is to stand below the present, and to replace nothing.

`figures.txt` has what talks state in passing, mostly with a number: the newer is to be first if it says that the number
changed, the older if the question is about it and not about its neighbour.

What must not fade (`tests/vectors/kinds/*_year.txt`, by language) is saved as a person says it, without a kind being
given: rules, and facts that are rarely needed and costly to miss, with the ordinary sentences that are held out beside
them. The fresh brief is to hold the rules; a year later, everything archived each week that may be, all are to be alive,
the rules in the brief, and the facts among the first five for their questions.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.memory import Tier
from mnemex_vault.domain.versions import Standing
from mnemex_vault.language.kinds import ORDINARY
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.recall import Request
from tests.bench.train_kinds import SENTENCES, sentences
from tests.bench.train_versions import PAIRS, Pair, pairs

_PAST = {"Wo": "früher"}
YEAR = ("en", "de", "es", "ja")


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def questions() -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    label = ""
    for line in (PAIRS / "heldout_questions.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            label = line.strip("[]")
        else:
            found.setdefault(label, []).append(line.split(" | "))
    return found


def late(app: App, clock: Clock) -> None:
    lines = (PAIRS / "late.txt").read_text("utf-8").splitlines()
    cases = [line.split(" | ") for line in lines]
    ids = {}
    for present, _, _ in cases:
        ids[present] = app.collection.save(Draft(content=present)).memory.id
        clock.now += timedelta(hours=1)
    app.store.rules = replace(app.store.rules, supersede="auto")
    known = replaced = dated = 0
    for present, told, _ in cases:
        clock.now += timedelta(hours=1)
        saved = app.collection.save(Draft(content=told))
        known += all(each.late for each in saved.known if each.entry.memory_id == ids[present])
        replaced += len(saved.replaced)
        dated += saved.memory.valid_from is not None
    in_place = [above(app, question, present, told) for present, told, question in cases]
    print(f"told late, in place below the present: {sum(in_place)} of {len(cases)}; replaced by `auto`: {replaced}")
    print(
        f"the call at save never lets it replace the present: {known} of {len(cases)}; with a time of its own: {dated}"
    )
    for case, held in zip(cases, in_place, strict=True):
        if not held:
            print(f"  not in place: {' | '.join(case)}")


def figures(app: App, clock: Clock) -> None:
    cases: dict[str, list[list[str]]] = {}
    label = ""
    for line in (PAIRS / "figures.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            label = line.strip("[]")
        else:
            cases.setdefault(label, []).append(line.split(" | "))
    for place in (0, 1):
        for text in (case[place] for label in cases for case in cases[label]):
            app.collection.save(Draft(content=text))
            clock.now += timedelta(hours=1)
    changed = [above(app, question, new, old) for old, new, question in cases["version"]]
    apart = [above(app, question, old, new) for old, new, question in cases["both"]]
    print(f"numbers told in passing, the present one first: {sum(changed)} of {len(changed)}")
    print(f"numbers of two things, that of the question first: {sum(apart)} of {len(apart)}")


def main() -> None:
    by_label: dict[Standing, list[Pair]] = {}
    for pair in pairs("heldout"):
        by_label.setdefault(pair.label, []).append(pair)
    clock = Clock()
    with vault(clock) as app:
        measure(app, clock, by_label)
    with vault(clock) as app:
        late(app, clock)
    clock = Clock()
    with vault(clock) as app:
        figures(app, clock)
    for language in YEAR:
        clock = Clock()
        with vault(clock) as app:
            year(app, clock, language)


@contextmanager
def vault(clock: Clock) -> Iterator[App]:
    with tempfile.TemporaryDirectory() as folder:
        environ = {"MNEMEX_STATE_PATH": f"{folder}/state", "HOME": folder}
        (Path(folder) / "vault").mkdir()
        with open_app(Path(folder) / "vault", environ=environ, clock=clock) as app:
            yield app


def measure(app: App, clock: Clock, by_label: dict[Standing, list[Pair]]) -> None:
    changed, both = by_label[Standing.VERSION], by_label[Standing.OTHER]
    for pair in (*changed, *both):
        app.collection.save(Draft(content=pair.old))
        clock.now += timedelta(hours=1)
    offered = told = wrongly = 0
    for pair in (*changed, *both):
        clock.now += timedelta(hours=1)
        known = {each.text: each.standing for each in app.collection.save(Draft(content=pair.new)).known}
        if pair.label is Standing.VERSION:
            offered += pair.old in known
            told += known.get(pair.old) is Standing.VERSION
        else:
            wrongly += known.get(pair.old) is Standing.VERSION
    asked = questions()
    rows = {
        "present above the old one": [
            above(app, q[0], p.new, p.old) for p, q in zip(changed, asked["version"], strict=True)
        ],
        "old above the present one, asked for the past": [
            above(app, f"{q[0].rstrip('?')} {_PAST.get(q[0].split()[0], 'before')}?", p.old, p.new)
            for p, q in zip(changed, asked["version"], strict=True)
        ],
        "both true, each first for its question": [
            above(app, question, mine, other)
            for p, q in zip(both, asked["both"], strict=True)
            for question, mine, other in ((q[0], p.old, p.new), (q[1], p.new, p.old))
        ],
    }
    for name, found in rows.items():
        print(f"{name}: {sum(found)} of {len(found)}")
    print(f"old fact offered at save: {offered} of {len(changed)}, told as a version: {told}")
    print(f"told as a version and both true: {wrongly} of {len(both)}")


def standing(language: str) -> tuple[list[str], dict[str, str]]:
    """Return rules, and costly facts with the question for each."""
    told: dict[str, list[list[str]]] = {}
    label = ""
    for line in (SENTENCES / f"{language}_year.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            label = line.strip("[]")
        else:
            told.setdefault(label, []).append(line.split(" | "))
    return [line[0] for line in told["rule"]], {line[0]: line[1] for line in told["costly"]}


def year(app: App, clock: Clock, language: str) -> None:
    rules, costly = standing(language)
    ordinary = [each.text for each in sentences("heldout") if each.language == language and each.kind == ORDINARY]
    ids = {text: app.collection.save(Draft(content=text)).memory.id for text in (*rules, *costly, *ordinary)}
    fresh = in_brief(app)
    print(
        f"{language}: of {len(rules)} rules among {len(ids)} fresh memories in the brief: {in_them(fresh, rules, ids)}"
    )
    for _ in range(52):
        clock.now += timedelta(weeks=1)
        app.forgetting.run(app.forgetting.plan(limit=len(ids)))
    alive = {entry.memory_id for entry in app.store.catalog.memories(Tier.SHORT_TERM, Tier.LONG_TERM)}
    found = [finds(app, question, ids[text]) for text, question in costly.items()]
    print(
        f"  a year later: rules alive {in_them(alive, rules, ids)}, in the brief {in_them(in_brief(app), rules, ids)}; "
        f"costly facts alive {in_them(alive, costly, ids)} of {len(costly)}, found {sum(found)}; "
        f"ordinary alive {in_them(alive, ordinary, ids)} of {len(ordinary)}"
    )


def in_brief(app: App) -> set[str]:
    return {item.entry.memory_id or "" for item in app.brief.make()}


def in_them(found: Collection[str | None], texts: Iterable[str], ids: Mapping[str, str]) -> int:
    return sum(ids[text] in found for text in texts)


def finds(app: App, question: str, memory_id: str) -> bool:
    return memory_id in [hit.entry.memory_id for hit in app.recall.search(Request(query=question, size=5)).hits]


def above(app: App, question: str, wanted: str, other: str) -> bool:
    """Tell whether one text stands above another among the first ten."""
    previews = app.recall.previews(app.recall.search(Request(query=question)).hits, length=0)
    texts = [each.text for each in previews]
    return wanted in texts and (other not in texts or texts.index(wanted) < texts.index(other))


if __name__ == "__main__":
    main()
