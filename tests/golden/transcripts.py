"""What tools and commands say over one furnished vault, word for word, with what differs in each run made equal."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

TESTS = Path(__file__).parents[1]
SAMPLE = TESTS.parent / "sample-vault"
ODD = json.loads((TESTS / "vectors" / "odd-notes.json").read_text("utf-8"))
NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
WRITTEN = datetime(2026, 11, 29, 12, 0, tzinfo=UTC).timestamp()
# what is made anew in each run, by its form
_MADE = {
    "id": r"(?<![\w/-])(?=[a-z0-9]*\d)[abcdefghjkmnpqrstvwxyz][0-9abcdefghjkmnpqrstvwxyz]{9}(?![\w-])",
    "operation": r"\bop[0-9a-f]{8}\b",
    "digest": r"\b(?=[0-9a-f]*\d)[0-9a-f]{12,64}\b",
}
# what is measured: durations, sizes on disk, the time of a file
_MEASURED = [
    r"(?<=p95 )[\d.]+",
    r"[\d.]+(?= ms\b)",
    r"[\d.]+(?= [kM]B\b)",
    r'(?<=_ms": )[\d.]+',
    r'(?<=file_size_bytes": )\d+',
    r'(?<=written_at": )\d+',
    r'(?<=index_written": ")[^"]+',
]

CALLS: list[tuple[str, dict[str, object]]] = [
    ("search_memory", {"query": "Amélie walnuts"}),
    ("search_memory", {"query": "when does Kiezkarte launch", "limit": 3}),
    ("search_memory", {"query": "xylophone"}),
    ("search_memory", {}),
    ("search_unified", {"query": "district office", "limit": 3}),
    ("save_memory", {"content": "Lena's dentist is Dr. Okafor in the Kastanienallee.", "tags": ["health"]}),
    ("save_memory", {"content": "Lena's dentist is Dr. Okafor in the Kastanienallee."}),
    ("save_memory", {"content": ""}),
    ("open_memories", {"memory_ids": ["Amélie is allergic to walnuts", "no such memory"]}),
    ("update_memory", {"memory_id": "Ferry to Hiddensee leaves from Schaprode", "pinned": True}),
    ("update_memory", {"memory_id": "nobody", "pinned": True}),
    ("touch_memory", {"memory_id": "Ferry to Hiddensee leaves from Schaprode"}),
    ("observe_memory_usage", {"memory_ids": ["Ferry to Hiddensee leaves from Schaprode"], "context_tags": ["party"]}),
    ("create_relation", {
        "from_memory_id": "Ferry to Hiddensee leaves from Schaprode",
        "to_memory_id": "Kiezkarte launches on 15 March 2027",
        "relation_type": "supports",
    }),
    ("read_graph", {"limit": 5}),
    ("delete_relation", {
        "from_memory_id": "Ferry to Hiddensee leaves from Schaprode",
        "to_memory_id": "Kiezkarte launches on 15 March 2027",
        "relation_type": "supports",
    }),
    ("promote_memory", {"memory_id": "Ferry to Hiddensee leaves from Schaprode", "force": True}),
    ("promote_memory", {"auto_detect": True, "dry_run": True}),
    ("forget_memory", {"memory_id": "Cargo bike is booked for the flea market", "reason": "the market is over"}),
    ("restore_memory", {"memory_id": "Cargo bike is booked for the flea market"}),
    ("undo", {}),
    ("gc", {"dry_run": True}),
    ("cluster_memories", {}),
    ("consolidate_memories", {"mode": "preview", "auto_detect": True}),
    ("review_queue", {"limit": 3}),
    ("vault_status", {}),
    ("analyze_message", {"message": "Please remember that I prefer trains to planes."}),
    ("analyze_for_recall", {"message": "What did we decide about the launch?"}),
    ("auto_recall_process_message", {"message": "What is Amélie allergic to?"}),
    ("backfill_embeddings", {"dry_run": True}),
    ("get_performance_metrics", {}),
    ("reset_performance_metrics", {}),
]  # fmt: skip

COMMANDS: list[list[str]] = [
    ["search", "Amélie walnuts"],
    ["search", "launch", "--explain", "--limit", "2"],
    ["search", "xylophone"],
    ["list", "--limit", "5"],
    ["show", "Amélie is allergic to walnuts"],
    ["show", "no such memory"],
    ["save", "Lena's dentist is Dr. Okafor in the Kastanienallee."],
    ["update", "Ferry to Hiddensee leaves from Schaprode", "--tag", "party"],
    ["touch", "Ferry to Hiddensee leaves from Schaprode"],
    ["pin", "Ferry to Hiddensee leaves from Schaprode"],
    ["relate", "Ferry to Hiddensee leaves from Schaprode", "Kiezkarte launches on 15 March 2027"],
    ["promote"],
    ["forget", "Cargo bike is booked for the flea market"],
    ["restore", "Cargo bike is booked for the flea market"],
    ["undo"],
    ["history", "--limit", "3"],
    ["maintain"],
    ["status"],
    ["doctor"],
    ["lab"],
    ["note", "list"],
    ["export", "--to", "-"],
    ["prompt"],
    ["--help"],
]


def furnish(vault: Path) -> None:
    """Copy the sample vault and the odd notes; every file has the same time."""
    shutil.copytree(SAMPLE, vault, dirs_exist_ok=True)
    for note in ODD:
        path = vault / "Odd" / note["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(note["bytes_base64"]) if "bytes_base64" in note else note["text"].encode())
    for path in vault.rglob("*"):
        os.utime(path, (WRITTEN, WRITTEN))


@dataclass
class Normal:
    """Makes two runs equal: places become names, and what is made anew is numbered as it appears."""

    places: dict[str, str]
    known: str
    vault: Path
    _numbers: dict[str, str] = field(default_factory=dict)

    def __call__(self, text: str) -> str:
        for place, name in self.places.items():
            text = text.replace(place, name)
        for kind, form in [("id", self._new_ids()), *_MADE.items()]:
            text = re.sub(form, lambda match, kind=kind: self._named(kind, match[0]), text)  # type: ignore[misc]
        for form in _MEASURED:
            text = re.sub(form, "N", text)
        return "\n".join(line for line in text.split("\n") if "\u2501" not in line)

    def _new_ids(self) -> str:
        """Return a form of the ids that notes bear by now; by chance one has no digit and looks like a word."""
        notes = (path.read_text("utf-8", "replace") for path in self.vault.rglob("*.md"))
        ids = {found for note in notes for found in re.findall(r"^memory_id: (\w{10})$", note, re.MULTILINE)}
        return rf"\b(?:{'|'.join(sorted(ids)) or '(?!)'})\b"

    def _named(self, kind: str, text: str) -> str:
        if text in self.known:
            return text
        return self._numbers.setdefault(text, f"<{kind} {len(self._numbers) + 1}>")


def known_words() -> str:
    """Return all text of the vault as it is furnished: no word of it is made anew."""
    return "\n".join(path.read_text("utf-8", "replace") for path in SAMPLE.rglob("*.md")) + json.dumps(ODD)
