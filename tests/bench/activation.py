"""How well save and recall are recognised on the labelled sentences; run `python tests/bench/activation.py`."""

import json
import time
from collections.abc import Callable
from pathlib import Path

from mnemex_vault.domain.activation import recall_finding, save_finding
from mnemex_vault.domain.word_lists import Lexicon

SENTENCES = json.loads((Path(__file__).parents[1] / "vectors" / "activation.json").read_text(encoding="utf-8"))[
    "sentences"
]


def figures(rows: list[dict[str, object]], label: str, acts: Callable[[str], bool]) -> str:
    found = [(bool(row[label]), acts(str(row["text"])), str(row["text"])) for row in rows]
    right = sum(wanted and got for wanted, got, _ in found)
    precision = right / max(1, sum(got for _, got, _ in found))
    recall = right / max(1, sum(wanted for wanted, _, _ in found))
    missed = "".join(f"\n    {'missed' if wanted else 'false'}: {text}" for wanted, got, text in found if wanted != got)
    return f"F1 {2 * precision * recall / (precision + recall):.3f}, precision {precision:.3f}, recall {recall:.3f}{missed}"


def main() -> None:
    lexicon = Lexicon.of()
    frozen = [row for row in SENTENCES if row.get("frozen")]
    for name, rows in (("all", SENTENCES), ("frozen", frozen)):
        print(
            f"{name} {len(rows)} save:   {figures(rows, 'save', lambda text: save_finding(text, lexicon).should_save)}"
        )
        print(
            f"{name} {len(rows)} recall: {figures(rows, 'recall', lambda text: recall_finding(text, lexicon).should_search)}"
        )
    idle = [row["text"] for row in SENTENCES if row["kind"] in ("small talk", "general question")]
    false = sum(save_finding(text, lexicon).should_save for text in idle)
    print(f"false saves on small talk and general questions: {false} of {len(idle)}")
    started = time.process_time()
    for row in SENTENCES:
        save_finding(row["text"], lexicon)
    print(f"{(time.process_time() - started) / len(SENTENCES) * 1e3:.2f} ms a message")


if __name__ == "__main__":
    main()
