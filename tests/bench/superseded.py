"""Does the present fact come before the one it replaced, after sixty days of use? With the relation, and without.

    python -m tests.bench.superseded [--facts 100] [--json FILE]

Facts about made-up people change once, at a random day; the old text was used more often by then, and one in four old
texts answers the words of the question better. After 60 days each fact is asked for, with and without the outdated
ones; "first" is the share of the questions in which the present fact is ranked before the outdated one.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mnemex_vault.app import App, open_app
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.recall import Request

START = datetime(2026, 1, 1, 9, tzinfo=UTC)
DAYS = 60
NAMES = "Ada Ben Cem Dora Eva Finn Gus Hana Ines Jan Kira Leo Mara Nils Olga Paul Rosa Sven Tara Uwe".split()
FAMILY = "Abel Brandt Cohen Dietz Engel".split()
PLACES = "Bonn Graz Lyon Turin Porto Delft Ghent Basel Malmo Cork".split()
WORDINGS = (
    ("{name} lives in {place}.", "{name} lives in {place} now."),
    ("{name} lives in {place}, has lived there for years.", "{name} lives in {place} since this month."),
    ("{name} lives in {place}.", "{name} moved to {place}."),
    ("The place where {name} lives is {place}.", "{name} has left for {place}."),
)


class Days:
    """A clock that is set."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


def live(app: App, clock: Days, facts: int, *, related: bool) -> list[tuple[str, str, str]]:
    """Save, use and change facts for sixty days; return for each the question, the old id and the new one."""
    chance = random.Random(1)
    people = [f"{name} {family}" for family in FAMILY for name in NAMES][:facts]
    wordings = [WORDINGS[number % len(WORDINGS)] for number in range(facts)]
    changes = [chance.randint(10, 50) for _ in people]
    old: dict[int, str] = {}
    new: dict[int, str] = {}
    for day in range(DAYS + 1):
        clock.now = START + timedelta(days=day)
        for number, person in enumerate(people):
            before, after = wordings[number]
            if day == 0:
                text = before.format(name=person, place=chance.choice(PLACES))
                old[number] = app.collection.save(Draft(content=text, on_duplicate="save")).memory.id
            elif day == changes[number]:
                text = after.format(name=person, place=chance.choice(PLACES))
                supersedes = [old[number]] if related else []
                draft = Draft(content=text, on_duplicate="save", supersedes=supersedes)
                new[number] = app.collection.save(draft).memory.id
            elif chance.random() < 0.1:
                app.lifecycle.touch(new.get(number, old[number]))
    return [(f"Where does {person} live?", old[number], new[number]) for number, person in enumerate(people)]


def measure(facts: int, *, related: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="mnemex-bench-") as base:
        vault, clock = Path(base) / "vault", Days()
        vault.mkdir()
        environ = {"MNEMEX_STATE_PATH": f"{base}/state", "XDG_CONFIG_HOME": f"{base}/config"}
        with open_app(vault, clock=clock, environ=environ, options={"timezone": "UTC"}) as app:
            asked = live(app, clock, facts, related=related)
            first = [before(app, *each, superseded=False) for each in asked]
            shown = [before(app, *each, superseded=True) for each in asked]
    return {
        "facts": facts,
        "first": sum(first) / len(first),
        "first, with the outdated ones asked for": sum(shown) / len(shown),
    }


def before(app: App, question: str, old: str, new: str, *, superseded: bool) -> bool:
    page = app.recall.search(Request(query=question, review=False, superseded=superseded, size=100))
    ids = [hit.entry.memory_id for hit in page.hits]
    return new in ids and (old not in ids or ids.index(new) < ids.index(old))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=100)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    table = {
        "saved with `supersedes`": measure(options.facts, related=True),
        "saved without": measure(options.facts, related=False),
    }
    print("| the new fact was | facts | first | first, with the outdated ones asked for |\n|---|---|---|---|")
    for name, row in table.items():
        print(f"| {name} | " + " | ".join(f"{value:g}" for value in row.values()) + " |")
    if options.json:
        options.json.write_text(json.dumps(table, indent=1))


if __name__ == "__main__":
    main()
