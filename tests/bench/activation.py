"""How well saving, recalling and confirming are recognised; run `python -m tests.bench.activation [-v] [PART]`.

Judges the messages of `tests/vectors/messages` that are held out from learning: those of "heldout", at which the
mechanism was looked at while it was built, or those of "sealed" and "fresh", of which only totals are to be printed. With
`-v` those judged wrongly are printed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mnemex_vault.language.activation import recall_finding, reinforce_finding, save_finding
from mnemex_vault.language.intent import Intent
from mnemex_vault.language.word_lists import Lexicon

VECTORS = Path(__file__).parents[1] / "vectors"
_LETTERS = {Intent.SAVE: "sq", Intent.RECALL: "r", Intent.CONFIRM: "f", Intent.ASK: "q", Intent.REFUSE: "x"}
_LEXICON = Lexicon.of()
ACTS: dict[Intent, Callable[[str], bool]] = {
    Intent.SAVE: lambda text: save_finding(text, _LEXICON).should_save,
    Intent.RECALL: lambda text: recall_finding(text, _LEXICON).should_search,
    Intent.CONFIRM: lambda text: reinforce_finding(text, _LEXICON).should_reinforce,
}


@dataclass(frozen=True, slots=True)
class Message:
    """A labelled message; `known` is what was labelled at all."""

    language: str
    text: str
    intents: frozenset[Intent]
    known: frozenset[Intent] = frozenset(Intent)


def messages(part: str) -> list[Message]:
    """Return the labelled messages of a part, "train", "heldout", "sealed" or "fresh"."""
    found = first_sets() if part == "train" else []
    for path in sorted((VECTORS / "messages").glob(f"*_{part}.txt")):
        for line in path.read_text("utf-8").splitlines():
            letters, text = line.split(" ", 1)
            intents = frozenset(intent for intent, known in _LETTERS.items() if set(known) & set(letters))
            found.append(Message(path.name[:2], text.replace("\\n", "\n"), intents))
    return found


def first_sets() -> list[Message]:
    """Return the English messages that were labelled first."""
    rows = [
        row
        for name in ("activation.json", "activation_fresh.json")
        for row in json.loads((VECTORS / name).read_text("utf-8"))["sentences"]
    ]
    # nobody asked of these whether they confirm something
    known = frozenset({Intent.SAVE, Intent.RECALL})
    return [
        Message("en", row["text"], frozenset(each for each in known if row[each.value]), known=known) for row in rows
    ]


def f1(pairs: Iterable[tuple[bool, bool]]) -> str:
    """Return F1, precision and recall of what was wanted and what was given."""
    found = list(pairs)
    right = sum(wanted and given for wanted, given in found)
    given, wanted = sum(given for _, given in found), sum(wanted for wanted, _ in found)
    return f"{2 * right / max(1, given + wanted):.3f} ({right / max(1, given):.2f}, {right / max(1, wanted):.2f})"


def by_language(found: Sequence[Message]) -> dict[str, list[Message]]:
    """Return the messages of English, of the others together, and of each."""
    groups = {"en": [each for each in found if each.language == "en"]}
    groups["others"] = [each for each in found if each.language != "en"]
    return groups | {
        code: [each for each in found if each.language == code] for code in sorted({each.language for each in found})
    }


def main() -> None:
    part = next((each for each in sys.argv[1:] if not each.startswith("-")), "heldout")
    found = messages(part)
    given = {intent: {each.text: acts(each.text) for each in found} for intent, acts in ACTS.items()}
    for name, rows in by_language(found).items():
        figures = (
            f"{intent.value} {f1((intent in each.intents, given[intent][each.text]) for each in rows)}"
            for intent in ACTS
        )
        print(name, len(rows), *figures, *_shares(rows, given[Intent.SAVE]))
    if "-v" in sys.argv:
        wrong = [
            (intent, each) for intent in ACTS for each in found if given[intent][each.text] != (intent in each.intents)
        ]
        print(
            *(
                f"{intent.value} {'missed' if intent in each.intents else 'false'}: {each.text}"
                for intent, each in wrong
            ),
            sep="\n",
        )
    started = time.process_time()
    for each in found:
        ACTS[Intent.SAVE](each.text)
    print(f"{(time.process_time() - started) / len(found) * 1e3:.2f} ms a message")


def _shares(rows: Sequence[Message], saved: Mapping[str, bool]) -> Iterator[str]:
    """Yield how many of those are saved that are idle, asked for and refused."""
    kinds = {
        "idle": [each.text for each in rows if not each.intents],
        "asked": [each.text for each in rows if Intent.ASK in each.intents],
        "refused": [each.text for each in rows if Intent.REFUSE in each.intents],
    }
    yield from (f"{name} saved {sum(saved[text] for text in texts)} of {len(texts)}" for name, texts in kinds.items())


if __name__ == "__main__":
    main()
