"""Let coverage choose the bytes: `python -m tests.fuzz.run TARGET [options of libFuzzer]`. Needs the extra `fuzz`.

What it finds on its way, and what breaks the target, is kept in a folder of the target among the temporary files, from
where the next run goes on.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path


def main() -> None:
    import atheris

    # what is imported before is not instrumented
    with atheris.instrument_imports(include=["mnemex_vault"]):
        from tests.fuzz.targets import NOTES, SEEDS, TARGETS

    name = sys.argv.pop(1)
    found = Path(tempfile.gettempdir()) / f"mnemex-fuzz-{name}"
    found.mkdir(exist_ok=True)
    # libFuzzer writes into the first folder
    atheris.Setup([*sys.argv, f"-artifact_prefix={found}/", *map(str, (found, SEEDS, NOTES))], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
