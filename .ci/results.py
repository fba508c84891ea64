"""Judge test reports: a skip is a failure unless `allowed-skips` names its reason; end with one line of counts."""

import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

ALLOWED = Path(__file__).with_name("allowed-skips")
BAD = ("failure", "error")


def allowed_reasons(text: str) -> list[str]:
    """Return the reasons of the list, without blank lines and comments."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def skips(cases: list[ElementTree.Element]) -> Iterator[tuple[str, str]]:
    """Give name and reason of each skipped case; an expected failure is none."""
    for case in cases:
        for skipped in case.iterfind("skipped"):
            if skipped.get("type") != "pytest.xfail":
                # a file that is skipped as a whole has its reason in the text
                reason = skipped.get("message", "")
                whole = reason == "collection skipped"
                yield f"{case.get('classname')}.{case.get('name')}", (skipped.text or "") if whole else reason


def permitted(reason: str, allowed: list[str]) -> bool:
    """Tell whether the reason says what is needed and the list agrees that it cannot be had here."""
    return reason.startswith("needs ") and any(reason.startswith(start) for start in allowed)


def main(reports: list[str]) -> int:
    """Print what is wrong and the counts; return the exit code."""
    cases = [case for report in reports for case in ElementTree.parse(report).getroot().iter("testcase")]
    skipped = list(skips(cases))
    allowed = allowed_reasons(ALLOWED.read_text(encoding="utf-8"))
    wrong = [f"skipped: {name}: {reason}" for name, reason in skipped if not permitted(reason, allowed)]
    failed = sum(any(case.find(kind) is not None for kind in BAD) for case in cases)
    passed = len(cases) - failed - sum(case.find("skipped") is not None for case in cases)
    lines = [*wrong, f"{passed} passed, {failed} failed, {len(skipped)} skipped"]
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if wrong or failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
