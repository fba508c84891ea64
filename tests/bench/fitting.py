"""Whether `fits` and `weak` mean what they say: names that are nearly there, and vaults of another size.

    python -m tests.bench.fitting [REPOSITORIES LOCOMO.zip]

Names: a vault holds facts about people. Each question names somebody who is not in it but is called nearly like one who is:
another form (Jan, Jana), another spelling (Marc, Mark), or one letter more, less or other. What counts is how often
the best hit is said to *fit*; beside it how often it is when the same question names the right person.

Sizes (with the two paths, development splits): the same questions are asked of a vault that holds their conversation
and of one that holds everything else, each filled with notes of other conversations up to its size. What is told is how
often the best hit is not weak, how often it is, and how far the chance behind it is from what it should be (the error
of calibration, over ten steps).
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from mnemex_vault.index.asking import Fit, Fitting
from mnemex_vault.index.query import parse
from mnemex_vault.index.text_index import TextIndex
from tests.bench.corpus import Question, Turn, conversation, document, plain_document
from tests.bench.foreign_sets import realtalk

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
        return best_fit(index, question).fitting is Fitting.FITS

    right, near = (sum(map(fits, column)) for column in list(zip(*tried, strict=True))[1:])
    return {"questions": len(tried), "right name fits": right / len(tried), "near name fits": near / len(tried)}


def best_fit(index: TextIndex, question: str) -> Fit:
    """Return how well the best hit fits; nothing found is as weak as can be."""
    query = parse(question, now=NOW)
    scores = index.relevance(query)
    if not scores:
        return Fit(share=0.0, chance=0.0)
    best = max(scores, key=lambda path: (scores[path], path))
    return index.explain(query, [best])[best].fit


SIZES = (100, 400, 1600)
# of each conversation so many questions, evenly taken
ASKED = 40


def by_size(repositories: Path, archive: Path) -> Iterator[tuple[int, float, float, float]]:
    """Yield sizes, how many own questions find what is not weak, how many others what is, and the calibration error."""
    talks = [conversation(archive, 26), conversation(archive, 41)]
    filler = [turn for vault in realtalk(repositories, "tuning") for turn in vault.talk.turns]
    for size in SIZES:
        own, other = [], []
        for talk, stranger in (talks, reversed(talks)):
            turns = talk.turns[:size]
            held = {turn.path for turn in turns}
            index = _vault([*turns, *filler[: size - len(turns)]])
            own += _fits(index, [question for question in talk.questions if question.evidence <= held])
            other += _fits(index, stranger.questions)
        told = sum(fit.fitting is not Fitting.WEAK for fit in own) / len(own)
        weak = sum(fit.fitting is Fitting.WEAK for fit in other) / len(other)
        yield size, told, weak, _error([fit.chance for fit in own], [fit.chance for fit in other])


def _vault(turns: Iterable[Turn]) -> TextIndex:
    index = TextIndex(Path(tempfile.mkdtemp()))
    index.stage(map(document, turns))
    index.flush()
    return index


def _fits(index: TextIndex, questions: Sequence[Question]) -> list[Fit]:
    step = max(1, len(questions) // ASKED)
    return [best_fit(index, question.text) for question in questions[::step]]


def _error(own: Sequence[float], other: Sequence[float]) -> float:
    """Return how far chances are from the share of own questions, where both kinds are equally many."""
    error = 0.0
    for low in range(10):
        mine, theirs = (sum(low <= chance * 10 < low + 1 for chance in part) / len(part) for part in (own, other))
        inside = [chance for chance in (*own, *other) if low <= chance * 10 < low + 1]
        if inside:
            mean = sum(inside) / len(inside)
            error += (mine + theirs) / 2 * abs(mine / (mine + theirs) - mean)
    return error


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"| {name} | {value:g} |")
    for row in by_size(*map(Path, sys.argv[1:])) if sys.argv[2:] else ():
        print("| " + " | ".join(f"{value:g}" if value > 1 else f"{value:.2f}" for value in row) + " |", flush=True)
