"""How easily somebody finds their way in the package: `python -m tests.bench.house [--picture]`.

Counted are lines of code (no blanks, comments, docstrings) of `mnemex_vault`, and the files whose functions run while a
client that is connected saves, and while it searches. A small module that a single one imports is listed by name: it is
a drawer of that one, unless the table beneath the list gives its reason. How many files a reader opens before the right
places are found needs readers: `house_tasks.md` has the tasks. With `--picture` the picture of the floors in
`docs/architecture.md` is drawn anew from the imports.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tempfile
import threading
import tokenize
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any

from mnemex_vault.app import open_app
from tests.mcp.talking import Talk

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "mnemex_vault"
SMALL = 60
PAGE = ROOT / "docs" / "architecture.md"
RECIPES = ROOT / "docs" / "contributing.md"
# alone on purpose
REASONS = {
    "__main__": "what `python -m mnemex_vault` runs",
    "language.kinds": "a question of its own, weighed as `intent` is, by what it learned itself",
    "mcp.messages": "tools beyond the core, whose word lists no client waits for that does not ask for them",
}
_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
_SCOPES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class Part:
    """One module: its lines of code, which of them import, how long its functions are, who imports it."""

    name: str
    code: set[int]
    imports: set[int]
    functions: list[int]
    uses: set[str]
    importers: set[str] = field(default_factory=set)


def parts() -> dict[str, Part]:
    """Read the package."""
    files = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}
    found = {name: read_part(name, path.read_text(encoding="utf-8"), files.keys()) for name, path in files.items()}
    for part in found.values():
        for used in part.uses:
            found[used].importers.add(part.name)
    return found


def module_name(path: Path) -> str:
    names = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


def read_part(name: str, source: str, modules: Any) -> Part:
    tree = ast.parse(source)
    told = {line for node in ast.walk(tree) for line in docstring_lines(node)}
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = {line for token in tokens if token.type not in _LAYOUT for line in range(token.start[0], token.end[0] + 1)}
    code = lines - told
    imports: set[int] = set()
    uses: set[str] = set()
    functions: list[int] = []
    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom():
                imports |= spanned(node)
                uses |= {used for used in imported(node) if used in modules}
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                functions.append(len(spanned(node) & code))
    return Part(name, code, imports & code, functions, uses - {name})


def docstring_lines(node: ast.AST) -> set[int]:
    if isinstance(node, _SCOPES) and ast.get_docstring(node, clean=False) is not None:
        return spanned(node.body[0])
    return set()


def spanned(node: ast.stmt) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Give what a statement may import: a module, or a name in one."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif node.module:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_lone(part: Part) -> bool:
    return len(part.importers) == 1 and len(part.code) < SMALL


def files_passed() -> dict[str, set[str]]:
    """Return the files whose functions run during a save and during a search of a server that is at work."""
    passed: dict[str, set[str]] = defaultdict(set)
    flow = [""]

    def look(frame: FrameType, event: str, _arg: object) -> None:
        if event == "call" and flow[0] and frame.f_code.co_filename.startswith(str(PACKAGE)):
            passed[flow[0]].add(Path(frame.f_code.co_filename).relative_to(PACKAGE).as_posix())

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        with tempfile.TemporaryDirectory() as folder:
            talk_to_server(Path(folder), lambda name: flow.__setitem__(0, name))
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return passed


def talk_to_server(folder: Path, begin: Callable[[str], None]) -> None:
    vault = folder / "vault"
    vault.mkdir()
    with open_app(vault, environ={"MNEMEX_STATE_PATH": str(folder / "state")}) as app:
        talk = Talk(app)
        talk.call("save_memory", content="The bicycle stands in the shed behind the house.")
        talk.call("search_memory", query="bicycle")
        begin("save")
        talk.call("save_memory", content="Tea is drunk at four, without milk, with Ada.")
        begin("search")
        talk.call("search_memory", query="who drinks tea")
        begin("")


def recipe_files() -> dict[str, int]:
    """Return how many files of the repository each recipe names."""
    recipes = re.findall(r"^\* \*\*an? (.+?)\*\*(.*)$", RECIPES.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: len(set(re.findall(r"`([\w./-]+\.\w+)`|\]\(([\w./-]+)\)", text))) for name, text in recipes}


def picture() -> str:
    """Draw which parts of the package use which; what follows from two other arrows is left out."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    for_all = set(re.findall(r"\w+", contracts[0]["layers"][-1]))
    uses: dict[str, set[str]] = defaultdict(set)
    for path in sorted(PACKAGE.glob("*/**/*.py")) + sorted(PACKAGE.glob("[!_]*.py")):
        part = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        named = re.findall(r"(?:from|import) mnemex_vault\.(\w+)", path.read_text(encoding="utf-8"))
        uses[part] |= set(named) - {part, *for_all}
    arrows = [(part, used) for part in sorted(uses) for used in sorted(uses[part]) if not is_led_to(uses, part, used)]
    return "graph TD\n" + "".join(f"  {part} --> {used}\n" for part, used in arrows)


def is_led_to(uses: dict[str, set[str]], part: str, used: str) -> bool:
    """Tell whether a part comes to another by way of a third."""
    return any(used in all_uses(uses, other) for other in uses[part] - {used})


def all_uses(uses: dict[str, set[str]], part: str) -> set[str]:
    found = set(uses.get(part, ()))
    return found.union(*(all_uses(uses, other) for other in found)) if found else found


def draw() -> None:
    page = PAGE.read_text(encoding="utf-8")
    anew = re.sub(r"(?s)(<!-- picture -->\n```mermaid\n).*?(```)", lambda m: m[1] + picture() + m[2], page)
    PAGE.write_text(anew, encoding="utf-8")


def main() -> None:
    if "--picture" in sys.argv:
        return draw()
    return print_figures()


def print_figures() -> None:
    found = parts()
    modules = [part for part in found.values() if part.code]
    code = sum(len(part.code) for part in modules)
    functions = [length for part in modules for length in part.functions]
    lone = sorted(part.name.removeprefix("mnemex_vault.") for part in modules if is_lone(part))
    unexplained = [name for name in lone if name not in REASONS]
    passed = files_passed()
    imports = sum(len(part.imports) for part in modules)
    rows = [
        ("files opened for a change task, median", "by readers", "<= 4"),
        ("files per 1,000 code lines", f"{1000 * len(found) / code:.1f} ({len(found)} files)", "<= 8"),
        ("Python code lines", f"{code:,}", "<= 24,500"),
        (
            "files that a save / a search passes through",
            f"{len(passed['save'])} / {len(passed['search'])}",
            "<= 45 / <= 35",
        ),
        (
            f"modules with one importer and under {SMALL} lines",
            f"{len(lone)}, {len(unexplained)} without a reason",
            "<= 10",
        ),
        ("median / longest function", f"{median(functions):.0f} / {max(functions)}", "<= 8 / <= 45"),
        (
            "files that a recipe names",
            ", ".join(f"{name} {count}" for name, count in recipe_files().items()),
            "<= 4, decay model <= 5",
        ),
        ("import lines", f"{100 * imports / code:.1f} %", "<= 5 %"),
    ]
    print("| figure | now | then |\n|---|---|---|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(f"\nsmall, of one importer: {', '.join(lone) or 'none'}")
    longest = sorted(((max(part.functions, default=0), part.name) for part in modules), reverse=True)[:5]
    print("longest functions: " + ", ".join(f"{length} in {name}" for length, name in longest))
    for name in ("save", "search"):
        print(f"\n{name}: {', '.join(sorted(passed[name]))}")


if __name__ == "__main__":
    main()
