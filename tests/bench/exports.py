"""How much memory and time a big export of conversations takes: `python -m tests.bench.exports [--megabytes 1000]`."""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from mnemex_vault.importers.exports import Export
from mnemex_vault.importers.proposals import read_proposals
from mnemex_vault.language.word_lists import Lexicon

CONVERSATIONS = 10_000


def conversations(megabytes: int, random: Random) -> Iterator[str]:
    """Yield conversations as JSON, in each one sentence worth keeping and long answers of made words."""
    share = megabytes * 1_000_000 // CONVERSATIONS
    for number in range(CONVERSATIONS):
        answer = " ".join(f"w{random.getrandbits(40):x}" for _ in range(share // 12))
        said = [
            {"uuid": "a", "sender": "human", "text": f"My locker number is {number}, please remember it."},
            {"uuid": "b", "sender": "assistant", "text": answer},
            {"uuid": "c", "sender": "human", "text": "Thanks! How tall is Mount Fuji?"},
        ]
        talk = {"uuid": f"u{number}", "name": f"Talk {number}", "created_at": "2026-01-05T10:00:00Z"}
        yield json.dumps({**talk, "chat_messages": said})


def write(path: Path, megabytes: int) -> None:
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("conversations.json", "w", force_zip64=True) as file,
    ):
        for number, talk in enumerate(conversations(megabytes, Random(7))):
            file.write(b"[" if number == 0 else b",\n")
            file.write(talk.encode())
        file.write(b"]")


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--megabytes", type=int, default=1_000)
    megabytes = arguments.parse_args().megabytes
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.zip"
        write(path, megabytes)
        begun = time.process_time()
        found = read_proposals(
            Export(path), Lexicon.of(), now=datetime(2026, 6, 1, tzinfo=UTC), is_known=lambda _: False
        )
        seconds = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    places = all(each.conversation and each.record.usage.created for each in found.found)
    print(f"{megabytes} MB, {CONVERSATIONS:,} conversations, {found.messages:,} messages: {seconds:.0f} s of CPU")
    print(f"{len(found.found)} proposals, {found.waiting:,} waiting, every one with its conversation: {places}")
    print(f"peak {peak:.0f} MB of memory in the whole process")


if __name__ == "__main__":
    main()
