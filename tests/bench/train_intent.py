"""Learn the weights of intent from the labelled messages; run `python -m tests.bench.train_intent [--curve|--shifts]`.

Needs the extra `train`. Without an argument the weights in the package are made anew, the same each time up to rounding,
and judged on the messages that are held out. `--curve` says instead how much is learned from how many messages, `--shifts`
where each decision is best drawn, learning from three fourths of the messages and judging the last.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from warnings import catch_warnings, simplefilter

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from mnemex_vault.language.activation import spans_of
from mnemex_vault.language.intent import BITS, Features, Intent, Judge, Weights, packed, unpacked
from mnemex_vault.language.meanings import SIZE
from mnemex_vault.language.word_lists import Lexicon
from tests.bench.activation import Message, by_language, f1, messages

WEIGHTS = Path(__file__).parents[2] / "mnemex_vault" / "language" / "data" / "intent.bin"
SEED = 1
STRENGTH = 6.0
_ROUNDS = 2
# what is seen in one sentence only is chance
_LEAST_SEEN = 2
# a message in a language of few examples counts for more, and so does an intent that few messages have
_FOREIGN = 2.0
_LEAST_SHARE = {"en": 0.15}
_LEAST_SHARE_ELSEWHERE = 0.4
# where decisions are drawn, by `--shifts`; but saving too little is better than too much, and to hear what is asked, and
# above all what is refused, is worth being wrong elsewhere
_SHIFT = {Intent.SAVE: -0.2, Intent.RECALL: 0.3, Intent.CONFIRM: 0.4, Intent.ASK: 2.0, Intent.REFUSE: 3.0}
_HASHED = 1 << BITS
# so many steps lead from nothing to the heaviest weight
_LEVELS = 31
_PARTS = 4
SIZES = (300, 600, 1200, 2400, 4800)


@dataclass(frozen=True, slots=True)
class Read:
    """Messages taken apart: the features of every span, and of which message each is."""

    features: list[Features]
    owners: list[int]


def read(found: Sequence[Message]) -> Read:
    lexicon = Lexicon.of()
    spans = [(at, span) for at, message in enumerate(found) for span in spans_of(message.text, lexicon)]
    return Read([span.features for _, span in spans], [at for at, _ in spans])


def names_of_marks(features: Iterable[Features]) -> list[str]:
    return sorted({mark for each in features for mark in each.marks})


def matrix(features: Sequence[Features], marks: Sequence[str]) -> csr_matrix:
    column = {mark: _HASHED + 2 * SIZE + at for at, mark in enumerate(marks)}
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    for row, each in enumerate(features):
        for places in (each.words, each.pieces, each.frames, each.groups):
            columns += places
            values += [1 / np.sqrt(len(places) or 1)] * len(places)
        columns += range(_HASHED, _HASHED + 2 * SIZE)
        values += each.meanings
        known = [mark for mark in each.marks if mark in column]
        columns += [column[mark] for mark in known]
        values += [each.marks[mark] for mark in known]
        rows += [row] * (len(columns) - len(rows))
    table = csr_matrix((values, (rows, columns)), shape=(len(features), _HASHED + 2 * SIZE + len(marks)))
    seen = np.bincount(table.indices, minlength=table.shape[1])
    table.data[(seen < _LEAST_SEEN)[table.indices]] = 0.0
    table.eliminate_zeros()
    return table


def learned(found: Sequence[Message], taken: Read, intent: Intent, table: csr_matrix) -> LogisticRegression:
    """Learn from whole messages first; then in each one that has the intent only the span that shows it best counts."""
    wanted = np.array([intent in found[owner].intents for owner in taken.owners])
    weights = _weights(found, intent)[taken.owners]
    model = LogisticRegression(
        C=STRENGTH, solver="liblinear", dual=True, intercept_scaling=3.0, tol=5e-3, max_iter=300, random_state=SEED
    )
    judged = np.array([intent in found[owner].known for owner in taken.owners])
    chosen = judged
    for _ in range(_ROUNDS):
        with catch_warnings():
            # stopped early, which is enough
            simplefilter("ignore", ConvergenceWarning)
            model.fit(table[chosen], wanted[chosen], sample_weight=weights[chosen])
        scores = model.decision_function(table)
        chosen = judged & (~wanted | (scores >= _best(scores, taken.owners)[taken.owners]))
    return model


def _best(scores: np.ndarray, owners: Sequence[int]) -> np.ndarray:
    """Return the greatest score of each message."""
    best = np.full(max(owners) + 1, -np.inf)
    np.maximum.at(best, owners, scores)
    return best


def _weights(found: Sequence[Message], intent: Intent) -> np.ndarray:
    weights = np.ones(len(found))
    by_language: defaultdict[str, list[int]] = defaultdict(list)
    for at, message in enumerate(found):
        if intent in message.known:
            by_language[message.language].append(at)
    for language, places in by_language.items():
        share = sum(intent in found[at].intents for at in places) / len(places)
        goal = max(share, _LEAST_SHARE.get(language, _LEAST_SHARE_ELSEWHERE))
        for at in places:
            balance = goal / share if intent in found[at].intents else (1 - goal) / (1 - share)
            weights[at] = balance * (1.0 if language == "en" else _FOREIGN)
    return weights


def judge(found: Sequence[Message], taken: Read | None = None) -> Judge:
    """Learn from messages; `taken` are they taken apart, if that was done already."""
    taken = taken or read(found)
    marks = names_of_marks(taken.features)
    table = matrix(taken.features, marks)
    made = packed({intent: rounded(learned(found, taken, intent, table), marks, _SHIFT[intent]) for intent in Intent})
    return Judge({Intent(name): weights for name, weights in unpacked(made).items()})


def rounded(model: LogisticRegression, marks: Sequence[str], shift: float) -> Weights:
    numbers = model.coef_[0]
    step = float(np.abs(numbers[:_HASHED]).max() / _LEVELS)
    hashed = np.round(numbers[:_HASHED] / step).astype(np.int8)
    meanings = [round(float(number), 3) for number in numbers[_HASHED : _HASHED + 2 * SIZE]]
    named = {mark: round(float(number), 3) for mark, number in zip(marks, numbers[_HASHED + 2 * SIZE :], strict=True)}
    bias = round(float(model.intercept_[0]) + shift, 4)
    return Weights(bias, step, memoryview(hashed.tobytes()).cast("b"), meanings, named)


def confidences(found: Sequence[Message], taken: Read, made: Judge, intent: Intent) -> dict[str, float]:
    """Return how sure a judge is of each message, by its text."""
    best = {each.text: 0.0 for each in found}
    for owner, features in zip(taken.owners, taken.features, strict=True):
        text = found[owner].text
        best[text] = max(best[text], made.confidence(intent, features))
    return best


def report(made: Judge, held_out: Sequence[Message], taken: Read, groups: Collection[str] = ()) -> None:
    """Print F1 (precision, recall) of each intent by language, or of the languages in `groups`."""
    sure = {intent: confidences(held_out, taken, made, intent) for intent in Intent}
    for name, rows in by_language(held_out).items():
        if not groups or name in groups:
            figures = (
                f"{intent.value} {f1((intent in each.intents, sure[intent][each.text] >= 0.5) for each in rows)}"
                for intent in Intent
            )
            print(name, len(rows), *figures, flush=True)


def curve(found: Sequence[Message], taken: Read, held_out: Sequence[Message], tested: Read) -> None:
    """Print what is learned from how many messages, of English and of the other languages together."""
    order = np.random.default_rng(SEED).permutation(len(found))
    for size in (*SIZES, len(found)):
        places = {int(at): new for new, at in enumerate(order[:size])}
        rows = [row for row, owner in enumerate(taken.owners) if owner in places]
        part = Read([taken.features[row] for row in rows], [places[taken.owners[row]] for row in rows])
        print(f"{size} messages")
        report(judge([found[at] for at in order[:size]], part), held_out, tested, ("en", "others"))


def shifts(found: Sequence[Message], taken: Read) -> None:
    """Print for each intent where its decision is best drawn, on messages of which nothing was learned."""
    owners = np.array(taken.owners)
    table = matrix(taken.features, names_of_marks(taken.features))
    held_out = np.random.default_rng(SEED).integers(0, _PARTS, len(found)) == 0
    places = {int(at): new for new, at in enumerate(np.flatnonzero(~held_out))}
    rows = np.flatnonzero(~held_out[owners])
    part = Read([taken.features[row] for row in rows], [places[int(owners[row])] for row in rows])
    for intent in Intent:
        model = learned([found[at] for at in places], part, intent, table[rows])
        judged = held_out & np.array([intent in message.known for message in found])
        wanted = np.array([intent in message.intents for message in found])[judged]
        scores = _best(model.decision_function(table), taken.owners)[judged]
        drawn = max(np.unique(scores), key=lambda at: _f1(wanted, scores >= at))
        best, none = _f1(wanted, scores >= drawn), _f1(wanted, scores >= 0)
        print(f"{intent.value}: a shift of {-drawn:.2f} gives F1 {best:.3f}, none {none:.3f}", flush=True)


def _f1(wanted: np.ndarray, given: np.ndarray) -> float:
    return float(2 * (wanted & given).sum() / max(1, wanted.sum() + given.sum()))


def main() -> None:
    found = messages("train")
    taken = read(found)
    if "--shifts" in sys.argv:
        shifts(found, taken)
        return
    if "--curve" in sys.argv:
        held_out = [*messages("heldout"), *messages("sealed")]
        curve(found, taken, held_out, read(held_out))
        return
    made = judge(found, taken)
    WEIGHTS.write_bytes(packed(made.weights))
    print(f"{len(found)} messages, {WEIGHTS.stat().st_size / 1e3:.0f} kB")
    for part in ("heldout", "sealed", "fresh"):
        report(made, messages(part), read(messages(part)))


if __name__ == "__main__":
    main()
