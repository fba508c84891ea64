"""How often a note about one person is presented as an answer about another whose name is nearly the same.

    python -m tests.bench.near_names

A vault holds facts about people. Each question names somebody who is not in it but is called nearly like one who is:
another form (Jan, Jana), another spelling (Marc, Mark), or one letter more, less or other. What counts is how often
the best hit is said to *fit*; beside it how often it is when the same question names the right person.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from mnemex_vault.index.asking import Fitting
from mnemex_vault.index.query import parse
from mnemex_vault.index.text_index import TextIndex
from tests.bench.corpus import plain_document

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PAIRS = (
    "Jan Jana,Anna Anne,Marc Mark,Maria Marie,Karl Karla,Paul Paula,Daniel Daniela,Sofia Sophie,Erik Erika,Lena Lina,"
    "Jon John,Hanna Johanna,Julia Julian,Nina Tina,Tim Tom,Petr Peter,Mila Milan,Alex Alexa,Ivan Ivana,Rosa Rose,"
    "Martin Martina,Clara Carla,Simon Simone,Emil Emily,Leon Leona,Andrea Andreas,Hans Hanna,Ali Alina,Noa Noah,"
    "Mira Mirela,Carlo Carlos,Luis Luise,Eva Ewa,Katrin Kathrin,Stefan Stefanie,Robin Rubin,Nora Norah,Olga Olaf,"
    "Viktor Viktoria,Georg George"
)
FACTS = (
    ("{} is allergic to penicillin and carries a card about it.", "What is {} allergic to?"),
    ("{} moved to Potsdam in spring and rents a flat by the lake.", "Where did {} move in spring?"),
    ("The telephone of {} is 030 1234567 on weekdays.", "What is the telephone number of {}?"),
    ("{} plays the cello in an orchestra on Thursdays.", "Which instrument does {} play in the orchestra?"),
    ("{} prefers window seats and vegetarian meals on flights.", "Which meals does {} prefer on flights?"),
)


def cases() -> Iterator[tuple[str, str, str]]:
    """Yield a fact, the question about its person, and the question about another."""
    for number, pair in enumerate(PAIRS.split(",")):
        one, other = pair.split()
        known, asked = (one, other) if number % 2 else (other, one)
        for fact, question in FACTS:
            yield fact.format(known), question.format(known), question.format(asked)


def measure() -> dict[str, float]:
    """Return which share of the best hits fits, for the right names and for the nearly right ones."""
    index = TextIndex(Path(tempfile.mkdtemp()))
    tried = list(cases())
    index.stage(plain_document(f"{number}.md", fact) for number, (fact, _, _) in enumerate(tried))

    def fits(question: str) -> bool:
        query = parse(question, now=NOW)
        scores = index.relevance(query)
        best = max(scores, key=lambda path: (scores[path], path))
        return index.explain(query, [best])[best].fit.fitting is Fitting.FITS

    right, near = (sum(map(fits, column)) for column in list(zip(*tried, strict=True))[1:])
    return {"questions": len(tried), "right name fits": right / len(tried), "near name fits": near / len(tried)}


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"| {name} | {value:g} |")
