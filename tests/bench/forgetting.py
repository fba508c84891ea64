"""Whether forgetting helps; `python -m tests.bench.forgetting REPOSITORIES LOCOMO.zip [--split report]`.

Needs the extra `train`. Three tables: what the text of a memory tells of its being needed, what time tells, and what
decay is worth in a search. `foreign_sets` says what REPOSITORIES holds and how the sets are split; the weights of the
first table are learned on the split `tuning` alone (and there without the conversation that is judged).
"""

from __future__ import annotations

import argparse
import math
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from mnemex_vault.app import open_app
from mnemex_vault.domain.decay import Exponential, PowerLaw
from mnemex_vault.domain.replay import Life, outcome, pauses_of
from mnemex_vault.domain.scoring import Policy, bounded
from mnemex_vault.index.ranking import Hit
from mnemex_vault.memories.lab import made_up
from mnemex_vault.memories.recall import MAX_PAGE, Request
from tests.bench.corpus import Turn
from tests.bench.foreign_sets import beam, locomo, memdaily, observations, realtalk
from tests.bench.retrieval import write_notes

KEPT = (0.1, 0.3, 0.5)
LEARNED_FROM = ("REALTALK", "BEAM")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SPEAKER = re.compile(r"^[A-Za-z]+: ")
_SENTENCE = (".", "!", "?", ":", "\n")
_PERSON = frozenset({"i", "my", "me", "mine", "we", "our", "us", "i'm", "i've", "i'd", "i'll", "we're", "we've"})
_COMMITMENT = frozenset(
    {"will", "plan", "planning", "planned", "decided", "need", "must", "deadline", "goal", "started", "finished"}
    | {"bought", "moved", "joined", "agreed", "prefer", "always", "never", "remember", "schedule", "aim"}
)

Numbers = NDArray[np.float64]
# what each turn of a talk is worth
Worth = Callable[["Talk"], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Talk:
    """What was said, in order, and the evidence of each question about it."""

    turns: Sequence[Turn]
    asked: Sequence[frozenset[str]]


# 1. Blind retention: keep a share of a talk without knowing the questions, and count what is left of the evidence.


def talks(repositories: Path, archive: Path, split: str) -> dict[str, list[Talk]]:
    def whole(vaults: Sequence[Any]) -> list[Talk]:
        return [Talk(v.talk.turns, [q.evidence for q in v.talk.questions]) for v in vaults]

    def of_person(talk: Talk) -> Talk:
        turns = [turn for turn in talk.turns if turn.speaker == "user"]
        own = {turn.path for turn in turns}
        return Talk(turns, [evidence & own for evidence in talk.asked if evidence & own])

    return {
        "REALTALK": whole(realtalk(repositories, split)),
        "BEAM": [of_person(talk) for talk in whole(beam(repositories, split))],
        "LoCoMo": whole(locomo(archive, split)),
        "observations": whole(observations(archive, split)),
        "MemDaily": whole(memdaily(repositories, split)),
    }


def features(talk: Talk) -> Numbers:
    """Return what is known of each turn: what it says, and whether it is the first to say what is said again."""
    words = [_words(turn.text) for turn in talk.turns]
    common = Counter(word for said in words for word in set(said))
    seen: set[str] = set()
    rows = []
    for turn, said in zip(talk.turns, words, strict=True):
        new = set(said) - seen
        again = [word for word in new if common[word] > 1]
        seen |= new
        named = {word.lower() for word in _named(turn.text)}
        recurring = math.log1p(sum(math.log(common[word]) for word in again))
        rows.append([*_of_text(turn.text), recurring, math.log1p(len(named.intersection(again))), _share(new, said)])
    return np.array(rows)


def _words(text: str) -> list[str]:
    found = _WORD.findall(_SPEAKER.sub("", text))
    return [word.lower() for word in found if len(word) > 3 or any(map(str.isdigit, word))]


def _share(part: set[str], said: Sequence[str]) -> float:
    return len(part) / (len(set(said)) or 1)


def _named(text: str) -> Iterator[str]:
    """Yield names (capitals within a sentence) and numbers."""
    said = _SPEAKER.sub("", text)
    for match in _WORD.finditer(said):
        before, word = said[: match.start()].rstrip(), match[0]
        inside = bool(before) and not before.endswith(_SENTENCE)
        if any(map(str.isdigit, word)) or (word[0].isupper() and inside and word.lower() not in _PERSON):
            yield word


def _of_text(text: str) -> list[float]:
    said = _SPEAKER.sub("", text)
    words = _WORD.findall(said)
    low = [word.lower() for word in words]
    return [
        math.log1p(len(list(_named(text)))),
        math.log1p(sum(word in _PERSON for word in low)),
        math.log1p(sum(word in _COMMITMENT for word in low)),
        float("?" in said),
        float("!" in said),
        math.log1p(len(words)),
        min(1.0, len(words) / 60),
        float(len(words) < 6),
    ]


def learned(
    given: Mapping[str, Sequence[Talk]], *, of: Sequence[str] = LEARNED_FROM, without: Talk | None = None
) -> Worth:
    rows, labels, weights = [], [], []
    for talk in (talk for name in of for talk in given[name] if talk is not without):
        needed = frozenset[str]().union(*talk.asked)
        rows.append(features(talk))
        labels.append([turn.path in needed for turn in talk.turns])
        weights.append(np.full(len(talk.turns), 1 / len(talk.turns)))
    table = np.vstack(rows)
    middle, spread = table.mean(0), table.std(0) + 1e-9
    model = LogisticRegression(C=0.3, max_iter=1000, class_weight="balanced")
    weight = np.concatenate(weights)
    model.fit((table - middle) / spread, np.concatenate(labels), sample_weight=weight / weight.mean())
    return lambda talk: list(((features(talk) - middle) / spread) @ model.coef_[0])


def retained(given: Mapping[str, Sequence[Talk]], worth: Worth) -> list[str]:
    cells = []
    for found in given.values():
        left: dict[float, list[float]] = {share: [] for share in KEPT}
        for talk in found:
            values = worth(talk)
            order = sorted(range(len(talk.turns)), key=lambda place: -values[place])
            for share in KEPT:
                kept = {talk.turns[place].path for place in order[: round(len(order) * share)]}
                left[share] += [len(evidence & kept) / len(evidence) for evidence in talk.asked]
        cells.append(" / ".join(f"{sum(each) / len(each):.2f}" for each in left.values()))
    return cells


def value_of_text(tuning: Mapping[str, Sequence[Talk]], report: Mapping[str, Sequence[Talk]] | None) -> None:
    judged = report or tuning
    chance = random.Random(1)

    def taught(of: Sequence[str]) -> Worth:
        everything = learned(tuning, of=of)
        return everything if report else lambda talk: learned(tuning, of=of, without=talk)(talk)

    rows: dict[str, Worth] = {
        "random": lambda talk: [chance.random() for _ in talk.turns],
        "recency": lambda talk: list(range(len(talk.turns))),
        "oldest": lambda talk: [-place for place in range(len(talk.turns))],
        "longest": lambda talk: [len(turn.text) for turn in talk.turns],
        "names + numbers": lambda talk: [len(list(_named(turn.text))) for turn in talk.turns],
        "ours": taught(LEARNED_FROM),
        "learned on observations": taught(("observations",)),
        "best possible": _asked_of,
    }
    print(f"| kept blind {'/'.join(f'{share:.0%}' for share in KEPT)} | {' | '.join(judged)} |")
    print("|---" * (len(judged) + 1) + "|")
    for name, worth in rows.items():
        print(f"| {name} | {' | '.join(retained(judged, worth))} |", flush=True)


def _asked_of(talk: Talk) -> list[float]:
    asked = Counter(path for evidence in talk.asked for path in evidence)
    return [asked[turn.path] for turn in talk.turns]


# 2. Time: of needs that come when people have them, how many meet a memory that is still there.

DAYS = 90
START = datetime(2026, 1, 1, tzinfo=UTC)
LEAVE_FROM, LEAVE_DAYS = 45, 30


def on_leave(life: Life) -> Life:
    """Return a life in which nobody works for a month: all that comes after its beginning comes so much later."""
    begins, away = START + timedelta(days=LEAVE_FROM), timedelta(days=LEAVE_DAYS)

    def moved(moment: datetime) -> datetime:
        return moment + away if moment >= begins else moment

    return replace(life, born=moved(life.born), uses=[moved(use) for use in life.uses])


def time(seeds: int) -> None:
    policies = {
        "power law, 3 days (default)": Policy(),
        "power law, 4 days": Policy(curve=PowerLaw(half_life_days=4)),
        "exponential, 3 days": Policy(curve=Exponential()),
        "exponential, 14 days": Policy(curve=Exponential(half_life_days=14)),
        # without any use it is kept as long as the default keeps it, and uses make no difference
        "recency (45 days since the last use)": Policy(
            curve=Exponential(half_life_days=45), use_exponent=0, forget_threshold=0.5
        ),
        "never": Policy(curve=PowerLaw(), forget_threshold=0),
    }
    print("\n| archived / uses missed | 90 days | with a month's leave, `days` | with a month's leave, `active_days` |")
    print("|---|---|---|---|")
    for name, policy in policies.items():
        told = " | ".join(f"{archived:.1%} / {missed:.2%}" for archived, missed in _lived(policy, seeds))
        print(f"| {name} | {told} |", flush=True)


def _lived(policy: Policy, seeds: int) -> Numbers:
    """Return the shares of memories archived and of uses missed: without leave, and with it by either clock."""
    figures = np.zeros((3, 2))
    for seed in range(seeds):
        lives = made_up(start=START, days=DAYS, seed=seed)
        away = [on_leave(life) for life in lives]
        end, later = START + timedelta(days=DAYS), START + timedelta(days=DAYS + LEAVE_DAYS)
        resting = replace(policy, pauses=pauses_of(away).until(later.timestamp()))
        for row, lived, rules, until in zip(
            figures, (lives, away, away), (policy, policy, resting), (end, later, later), strict=True
        ):
            found = outcome(lived, rules, zone=UTC, end=until)
            row += (found.forgotten / found.memories, found.missed / found.uses)
    return figures / seeds


# 3. At equal cost: ten results, with decay in their order and without.


def ranked(repositories: Path, archive: Path, split: str) -> None:
    sets = {
        "REALTALK": realtalk(repositories, split),
        "LoCoMo": locomo(archive, split),
        "BEAM": beam(repositories, split),
    }
    print(f"\n| evidence among ten results | {' | '.join(sets)} |")
    print("|---" * (len(sets) + 1) + "|")
    rows = {"decay may take up to 0.3 of the rank": 0.3, "up to 0.9": 0.9, "nothing, as it is": 0.0}
    found: dict[str, list[str]] = {name: [] for name in rows}
    for vaults in sets.values():
        shares: dict[str, list[float]] = {name: [] for name in rows}
        for vault in vaults:
            for name, results in _answers(vault.talk.turns, [q.text for q in vault.talk.questions], rows):
                pairs = zip(vault.talk.questions, results, strict=True)
                shares[name] += [len(q.evidence & paths) / len(q.evidence) for q, paths in pairs]
        for name, each in shares.items():
            found[name].append(f"{sum(each) / len(each):.3f}")
    for name, cells in found.items():
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def _answers(
    turns: Sequence[Turn], questions: Sequence[str], rows: Mapping[str, float]
) -> Iterator[tuple[str, list[set[str]]]]:
    """Yield what a week after the last turn is found for each question, for each share that decay may take."""
    now = max(turn.created for turn in turns) + timedelta(days=7)
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "vault"
        paths = {
            memory_id: path for path, memory_id in write_notes(vault, turns, lambda turn: turn.session or None).items()
        }
        environ = {"MNEMEX_STATE_PATH": f"{folder}/state", "HOME": folder}
        with open_app(vault, environ=environ, clock=lambda: now) as app:
            for name, share in rows.items():
                pages = [_faded_last(app.recall.search(Request(query=q, size=MAX_PAGE)).hits, share) for q in questions]
                yield name, [{paths.get(hit.entry.memory_id or "", "") for hit in hits[:10]} for hits in pages]


def _faded_last(hits: Sequence[Hit], share: float) -> list[Hit]:
    """Return hits in the order that they had if a memory could lose such a share of its rank by having faded."""
    return sorted(hits, key=lambda hit: -hit.rank * (1 - share * (1 - bounded(hit.score or 0.0, Policy()))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--split", choices=["tuning", "report"], default="tuning")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--tables", nargs="+", choices=["text", "time", "search"], default=["text", "time", "search"])
    given = parser.parse_args()
    if "text" in given.tables:
        tuning = talks(given.repositories, given.archive, "tuning")
        report = talks(given.repositories, given.archive, "report") if given.split == "report" else None
        value_of_text(tuning, report)
    if "time" in given.tables:
        time(given.seeds)
    if "search" in given.tables:
        ranked(given.repositories, given.archive, given.split)


if __name__ == "__main__":
    main()
