"""How well save and recall are recognised on the labelled messages; run `python tests/bench/activation.py [SET]`.

With the name of a set the messages that were judged wrongly are printed as well.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mnemex_vault.domain.activation import recall_finding, save_finding
from mnemex_vault.domain.word_lists import Lexicon

VECTORS = Path(__file__).parents[1] / "vectors"
Rows = list[dict[str, Any]]


def sets() -> dict[str, Rows]:
    """Return the first three hundred sentences, those of them that were labelled first, and the fresh sets."""
    rows: Rows = json.loads((VECTORS / "activation.json").read_text(encoding="utf-8"))["sentences"]
    fresh: Rows = json.loads((VECTORS / "activation_fresh.json").read_text(encoding="utf-8"))["sentences"]
    found = {"all": rows, "frozen": [row for row in rows if row.get("frozen")]}
    for row in fresh:
        found.setdefault(row["set"], []).append(row)
    return found


def figures(rows: Rows, label: str, acts: Callable[[str], bool]) -> tuple[str, list[str]]:
    found = [(bool(row[label]), acts(str(row["text"])), str(row["text"])) for row in rows]
    right = sum(wanted and got for wanted, got, _ in found)
    precision = right / max(1, sum(got for _, got, _ in found))
    recall = right / max(1, sum(wanted for wanted, _, _ in found))
    wrong = [f"{'missed' if wanted else 'false'} {label}: {text}" for wanted, got, text in found if wanted != got]
    return f"F1 {2 * precision * recall / (precision + recall):.3f} ({precision:.3f}, {recall:.3f})", wrong


def main() -> None:
    lexicon = Lexicon.of()

    def saves(text: str) -> bool:
        return save_finding(text, lexicon).should_save

    def recalls(text: str) -> bool:
        return recall_finding(text, lexicon).should_search

    for name, rows in sets().items():
        save, wrong_saves = figures(rows, "save", saves)
        recall, wrong_recalls = figures(rows, "recall", recalls)
        idle = [row["text"] for row in rows if row["kind"] in ("small talk", "general question")]
        false = sum(map(saves, idle))
        print(f"{name:7} {len(rows)}: save {save}, recall {recall}, false saves {false} of {len(idle)} idle messages")
        if name in sys.argv[1:]:
            print(*wrong_saves, *wrong_recalls, sep="\n")
    rows = sets()["all"]
    started = time.process_time()
    for row in rows:
        saves(row["text"])
    print(f"{(time.process_time() - started) / len(rows) * 1e3:.2f} ms a message")


if __name__ == "__main__":
    main()
