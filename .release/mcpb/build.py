"""Builds the bundle that Claude Desktop installs with one click: `python .release/mcpb/build.py FOLDER`.

It holds the sources as they are released, the manifest, an icon and what is started; uv fetches what they need.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BESIDE = ("manifest.json", "server.py", "icon.png")
# the earliest date of a zip archive, so that the same sources give the same bytes
DATE = (1980, 1, 1, 0, 0, 0)


def unpacked_sources(folder: Path) -> Path:
    """Build the source package in a folder and return where it was unpacked."""
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
    subprocess.run([uv, "build", "--quiet", "--sdist", "--out-dir", folder, ROOT], check=True)
    [package] = folder.glob("*.tar.gz")
    with tarfile.open(package) as archive:
        archive.extractall(folder, filter="data")
    return folder / package.name.removesuffix(".tar.gz")


def build(target: Path) -> Path:
    """Write the bundle into a folder and return its path."""
    manifest = json.loads((HERE / "manifest.json").read_text("utf-8"))
    target.mkdir(parents=True, exist_ok=True)
    bundle = target / f"{manifest['name']}-{manifest['version']}.mcpb"
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        sources = unpacked_sources(Path(folder))
        files = {path.relative_to(sources).as_posix(): path for path in sources.rglob("*") if path.is_file()}
        files |= {name: HERE / name for name in BESIDE}
        for name, path in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, DATE), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return bundle


if __name__ == "__main__":
    sys.stdout.write(f"{build(Path(sys.argv[1]))}\n")
