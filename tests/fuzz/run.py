"""Let coverage choose the bytes: `python -m tests.fuzz.run TARGET [options of libFuzzer]`. Needs the extra `fuzz`."""

from __future__ import annotations

import sys


def main() -> None:
    import atheris

    # what is imported before is not instrumented
    with atheris.instrument_imports(include=["mnemex_vault"]):
        from tests.fuzz.targets import SEEDS, TARGETS

    target = TARGETS[sys.argv.pop(1)]
    atheris.Setup([*sys.argv, str(SEEDS)], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
