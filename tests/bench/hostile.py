"""How long a megabyte of what scanners fear takes, in processor time: `python -m tests.bench.hostile [--json FILE]`."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from mnemex_vault.language.secrets import find_secrets
from mnemex_vault.text.inert_text import inert, original
from mnemex_vault.text.links import findings

CORPUS = Path(__file__).parents[1] / "vectors" / "security" / "slow.json"
SIZE = 1_000_000
SCANNERS: dict[str, Callable[[str], object]] = {
    "links": findings,
    # with structure that must be parsed, and a link that makes it worth it
    "blocks": lambda text: findings(f"#t [[x]] `c`\n\n{text}"),
    "escape": lambda text: original(inert(text)),
    "secrets": find_secrets,
}


def seconds(scan: Callable[[str], object], piece: str) -> float:
    text = piece * (SIZE // len(piece))
    start = time.process_time()
    scan(text)
    return time.process_time() - start


def measured() -> dict[str, dict[str, float]]:
    """Return scanner -> piece -> seconds."""
    corpus = json.loads(CORPUS.read_text(encoding="utf-8"))
    return {name: {piece: round(seconds(scan, piece), 3) for piece in corpus[name]} for name, scan in SCANNERS.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE")
    chosen = parser.parse_args()
    times = measured()
    sys.stdout.write("| scanner | a megabyte of | CPU s |\n|---|---|---|\n")
    for name, taken in times.items():
        for piece, each in sorted(taken.items(), key=lambda one: -one[1]):
            sys.stdout.write(f"| {name} | {json.dumps(piece)} | {each:.2f} |\n")
    if chosen.json:
        chosen.json.write_text(json.dumps(times, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
