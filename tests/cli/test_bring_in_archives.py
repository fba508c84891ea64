"""No importer opens an archive, whatever is in it and wherever it lies: a clear error, and nothing written anywhere."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run, picture

LINE = b'{"id": "one", "content": "Packed.", "meta": {"tags": []}, "type": "entity", "name": "Packed"}\n'
# what unpacking carelessly would write elsewhere
NAMES = ["memories.jsonl", "../evil.md", "/tmp/mnemex-evil.md", "a/../../evil.md", "C:\\evil.md", ".obsidian/evil.js"]
BOMB = 200_000_000


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in NAMES:
            archive.writestr(name, LINE)
        link = zipfile.ZipInfo("link.md")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    return file.getvalue()


def tarred(*, form: int = tarfile.PAX_FORMAT) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=form) as archive:
        for name in NAMES:
            member = tarfile.TarInfo(name)
            member.size = len(LINE)
            archive.addfile(member, io.BytesIO(LINE))
        for kind, target in ((tarfile.SYMTYPE, "/etc/passwd"), (tarfile.LNKTYPE, "../evil.md"), (tarfile.CHRTYPE, "")):
            member = tarfile.TarInfo(f"link{kind!r}.md")
            member.type, member.linkname = kind, target
            archive.addfile(member)
    return file.getvalue()


def old_tar() -> bytes:
    """Return a tar without the sign that newer ones have; its lines could be read."""
    header = bytearray(tarred()[:512])
    header[257:265] = bytes(8)
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + LINE + bytes(1024 - len(LINE))


def bomb() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("memories.jsonl", "w") as member:
        for _ in range(BOMB // 1_000_000):
            member.write(bytes(1_000_000))
    return file.getvalue()


ARCHIVES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "store.zip": ("zip", zipped),
    "empty.zip": ("zip", lambda: b"PK\x05\x06" + bytes(18)),
    "bomb.zip": ("zip", bomb),
    "store.tar": ("tar", tarred),
    "gnu.tar": ("tar", lambda: tarred(form=tarfile.GNU_FORMAT)),
    "old.tar": ("tar", old_tar),
    "store.tar.gz": ("gzip", lambda: gzip.compress(tarred())),
    "bomb.jsonl.gz": ("gzip", lambda: gzip.compress(bytes(BOMB // 10))),
    "store.tar.bz2": ("bzip2", lambda: bz2.compress(tarred())),
    "store.tar.xz": ("xz", lambda: lzma.compress(tarred())),
    "store.7z": ("7z", lambda: b"7z\xbc\xaf\x27\x1c" + bytes(100)),
}


@pytest.mark.row("J5", "S12")
@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_is_refused_by_every_importer_and_nothing_of_it_is_unpacked(
    run: Run, vault: Path, tmp_path: Path, name: str
) -> None:
    kind, make = ARCHIVES[name]
    theirs = tmp_path / "theirs"
    (theirs / "notes").mkdir(parents=True)
    archive = theirs / name
    archive.write_bytes(make())
    # also under the names of what is looked for
    (theirs / "memories.jsonl").write_bytes(archive.read_bytes())
    (theirs / "notes" / "Packed.md").write_bytes(archive.read_bytes())
    before, beside = picture(vault), picture(theirs)
    tracemalloc.start()
    for line in (
        ["import", str(archive)],
        ["import", str(archive), "--format", "mnemex"],
        ["import", str(archive), "--format", "memory-server"],
        ["import", str(theirs), "--format", "mnemex"],
        ["migrate", "--old-path", str(archive)],
        ["migrate", "--old-path", str(theirs)],
    ):
        outcome = run(*line)
        assert outcome.code == 1, (line, outcome)
        # a zip without a kind may be an export, whose files are counted and measured before they are read
        measured = name == "bomb.zip" and line == ["import", str(archive)]
        told = (
            "is no export: it holds more than" if measured else f"is packed ({kind}); unpack it, and name what is in it"
        )
        assert told in outcome.err, (line, outcome.err)
    assert "is not a folder" in run("import", str(archive), "--format", "markdown").err
    notes = run("import", str(theirs / "notes"))
    assert notes.code == 0
    assert "Packed.md" in notes.out
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30_000_000
    assert (picture(vault), picture(theirs)) == (before, beside)
    assert not list(tmp_path.rglob("*evil*"))
    assert not Path("/tmp/mnemex-evil.md").exists()
