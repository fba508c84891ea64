"""Lets clients that are not ours list and call the tools; run `python tests/bench/conformance/run.py`."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SECONDS = 300
INSPECTOR = "@modelcontextprotocol/inspector"
TYPESCRIPT = "@modelcontextprotocol/sdk"


def run(*command: str | Path, folder: Path, environ: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env={**os.environ, **(environ or {})}, capture_output=True, text=True,
        check=False, timeout=SECONDS,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def version(folder: Path, package: str) -> str:
    facts = json.loads((folder / "node_modules" / package / "package.json").read_text("utf-8"))
    return str(facts["version"])


def with_inspector(kept: Path, server: list[str], environ: dict[str, str]) -> str:
    if not (kept / "node_modules" / INSPECTOR).exists():
        run("npm", "install", "--no-audit", "--no-fund", "--prefix", kept, INSPECTOR, folder=kept)
    command: list[str | Path] = [kept / "node_modules/.bin/mcp-inspector", "--cli"]

    def ask(*words: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(run(*command, *server, *words, folder=kept, environ=environ))
        return answer

    tools = ask("--method", "tools/list")["tools"]
    text = "content=The inspector lamp is red."
    saved = ask("--method", "tools/call", "--tool-name", "save_memory", "--tool-arg", text)
    found = ask("--method", "tools/call", "--tool-name", "search_memory", "--tool-arg", "query=inspector lamp")
    ids = [item["id"] for item in found["structuredContent"]["results"]]
    assert saved["structuredContent"]["memory_id"] in ids, found
    prompts = ask("--method", "prompts/list")["prompts"]
    resources = ask("--method", "resources/list")["resources"]
    return f"{version(kept, INSPECTOR)}: {len(tools)} tools, {len(resources)} resources, {len(prompts)} prompts"


def with_typescript(kept: Path, server: list[str], environ: dict[str, str]) -> str:
    if not (kept / "node_modules" / TYPESCRIPT).exists():
        run("npm", "install", "--no-audit", "--no-fund", "--prefix", kept, TYPESCRIPT, folder=kept)
    script = kept / "client.mjs"
    script.write_text((HERE / "client.mjs").read_text("utf-8"), "utf-8")
    return f"{version(kept, TYPESCRIPT)}: {run('node', script, *server, folder=kept, environ=environ).strip()}"


def with_python_1x(kept: Path, server: list[str], environ: dict[str, str]) -> str:
    environment = kept / "python-1x"
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(environment, with_pip=True)
        run(python, "-m", "pip", "install", "-q", "mcp<2", folder=kept)
    ours = "from importlib.metadata import version; print(version('mcp'))"
    number = run(python, "-c", ours, folder=kept).strip()
    return f"{number}: {run(python, HERE / 'client_1x.py', *server, folder=kept, environ=environ).strip()}"


CLIENTS: dict[str, Callable[[Path, list[str], dict[str, str]], str]] = {
    "inspector": with_inspector,
    "TypeScript SDK": with_typescript,
    "Python SDK 1.x": with_python_1x,
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--keep", type=Path, help="where to keep the installed clients")
    with tempfile.TemporaryDirectory() as folder:
        kept = (options.parse_args().keep or Path(folder) / "clients").absolute()
        kept.mkdir(parents=True, exist_ok=True)
        vault = Path(folder) / "vault"
        vault.mkdir()
        environ = {"MNEMEX_STATE_PATH": f"{folder}/state", "MNEMEX_VAULT_PATH": str(vault)}
        server = [sys.executable, "-m", "mnemex_vault"]
        for name, client in CLIENTS.items():
            print(f"{name} {client(kept, server, environ)}", flush=True)


if __name__ == "__main__":
    main()
