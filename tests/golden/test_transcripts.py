"""Tools, resources, prompts and commands answer word for word as recorded; `--record` records them anew."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from mcp.client import Client
from mcp.types import CallToolResult

from mnemex_vault.app import open_app
from tests.cli.conftest import Run, bare_run, commands, run  # noqa: F401
from tests.cli.terminal import in_terminal
from tests.conftest import StandingClock
from tests.golden.transcripts import CALLS, COMMANDS, NOW, Normal, furnish, known_words
from tests.mcp.talking import Talk, text_of

pytestmark = pytest.mark.slow
RECORDED = Path(__file__).parent / "recorded"


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock(NOW)


@pytest.fixture
def normal(vault: Path, environ: dict[str, str], tmp_path: Path) -> Normal:
    furnish(vault)
    environ["MNEMEX_TIMEZONE"] = "UTC"
    return Normal({str(vault): "VAULT", str(tmp_path): "TMP", str(Path.home()): "HOME"}, known_words(), vault)


def same(request: pytest.FixtureRequest, name: str, lines: Iterator[str]) -> None:
    """Compare with what was recorded, or record."""
    said = "\n".join(lines) + "\n"
    path = RECORDED / name
    if request.config.getoption("--record"):
        path.write_text(said, "utf-8")
    assert said == path.read_text("utf-8")


def test_tools_answer_as_recorded(
    request: pytest.FixtureRequest, vault: Path, clock: StandingClock, environ: dict[str, str], normal: Normal
) -> None:
    def answers() -> Iterator[str]:
        with open_app(vault, clock=clock, environ={**environ, "MNEMEX_TOOLS": "full"}) as app:
            talk = Talk(app)
            for tool in talk.listing():
                yield f"# {tool.name}\n{json.dumps(tool.model_dump(mode='json', exclude_none=True), indent=1)}"
            for name, arguments in CALLS:
                result: CallToolResult = talk.raw(name, **arguments)
                yield f"\n> {name} {json.dumps(arguments, ensure_ascii=False)}"
                yield normal(text_of(result))
                yield normal(json.dumps(result.structured_content, indent=1, ensure_ascii=False))
                clock.advance(minutes=5)

    same(request, "tools.txt", answers())


def test_resources_and_prompts_answer_as_recorded(
    request: pytest.FixtureRequest, vault: Path, clock: StandingClock, environ: dict[str, str], normal: Normal
) -> None:
    async def ask(talk: Talk) -> list[str]:
        said = []
        async with Client(talk.server) as client:
            for prompt in (await client.list_prompts()).prompts:
                got = await client.get_prompt(prompt.name, {each.name: "Kiezkarte" for each in prompt.arguments or []})
                said.append(f"> prompt {prompt.name}\n{got.model_dump_json(indent=1, exclude_none=True)}")
            listed = [str(resource.uri) for resource in (await client.list_resources()).resources]
            templates = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
            for uri in [*listed, *(_filled(each) for each in templates)]:
                read = await client.read_resource(uri)
                said.append(f"> resource {uri}\n{read.model_dump_json(indent=1, exclude_none=True)}")
        return [normal(each) for each in said]

    with open_app(vault, clock=clock, environ=environ) as app:
        same(request, "resources.txt", iter(anyio.run(ask, Talk(app))))


def _filled(template: str) -> str:
    return template.partition("{")[0] + "yxhj6fjwhw"


@pytest.mark.parametrize("voice", ["json", "piped"])
def test_commands_answer_as_recorded(
    request: pytest.FixtureRequest,
    run: Run,  # noqa: F811
    clock: StandingClock,
    normal: Normal,
    voice: str,
) -> None:
    def answers() -> Iterator[str]:
        for command in COMMANDS:
            outcome = run(*command, *["--json"] * (voice == "json"))
            yield normal(f"\n$ mnemex {' '.join(command)}\n{outcome.out}{outcome.err}= {outcome.code}")
            clock.advance(minutes=5)

    same(request, f"commands-{voice}.txt", answers())


def test_commands_on_a_terminal_answer_as_recorded(
    request: pytest.FixtureRequest, vault: Path, environ: dict[str, str], clock: StandingClock, normal: Normal
) -> None:
    def answers() -> Iterator[str]:
        for command in COMMANDS:
            around = {**environ, "MNEMEX_VAULT_PATH": str(vault)}
            shown = in_terminal(command, columns=80, environ=around, clock=clock)
            yield normal("\n".join([f"\n$ mnemex {' '.join(command)}", *shown.lines, f"= {shown.code}"]))
            clock.advance(minutes=5)

    same(request, "commands-terminal.txt", answers())


def test_a_model_is_told_of_tools_and_never_of_commands() -> None:
    said = (RECORDED / "tools.txt").read_text("utf-8")
    assert re.findall(r"\bmnemex [a-z]\S*|(?<!\S)--[a-z]\S*", said) == []
