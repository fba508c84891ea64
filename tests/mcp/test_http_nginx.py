"""The recipe of docs/http.md: a vault that a sync tool fills, behind nginx with TLS, for two clients."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import httpx2 as httpx
import pytest
from mcp.client import Client
from mcp.client.context import ClientRequestContext
from mcp.client.session import ElicitationFnT
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitRequestParams, ElicitResult

from tests.bench.syncthing import Daemon
from tests.mcp.elsewhere import Person, Tunnel
from tests.mcp.served import FADED_NOTE, Served, serving
from tests.mcp.talking import structured, text_of
from tests.waiting import PATIENCE, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(shutil.which("syncthing") is None, reason="needs syncthing"),
    pytest.mark.skipif(shutil.which("nginx", path="/usr/sbin:/usr/bin") is None, reason="needs nginx"),
]

ROOT = Path(__file__).parents[2]
FADED_NOTES = 12
# a busy machine hashes and sends slowly
SYNCED_SECONDS = 300.0
ORIGIN = "https://notes.example.org"
AROUND = """daemon off;
pid {folder}/nginx.pid;
error_log stderr;
{user}
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {site}
}}
"""


def block(mark: str) -> str:
    """Give what the page says under a mark."""
    page = (ROOT / "docs/http.md").read_text("utf-8")
    found = re.findall(rf"<!-- nginx: {mark} -->\n(?:<!--[^\n]*-->\n)?```\w+\n(.*?)```", page, re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def placed(text: str, **places: str) -> str:
    """Put other places into what the page says, each of which it must name."""
    for place, other in places.items():
        name = {"pem": "/etc/nginx/notes.pem", "key": "/etc/nginx/notes.key", "port": " 443 ", "server": ":7337;"}[
            place
        ]
        assert name in text
        text = text.replace(name, other)
    return text


def certificate(folder: Path) -> dict[str, str]:
    files = {"pem": str(folder / "notes.pem"), "key": str(folder / "notes.key")}
    command = placed(block("certificate"), **files).replace("\\\n", " ")
    subprocess.run(shlex.split(command), check=True, capture_output=True, timeout=PATIENCE)
    return files


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def nginx(folder: Path, files: dict[str, str], server: int) -> Iterator[int]:
    """Run nginx with the site of the page, and give its port; one that somebody took meanwhile is not insisted on."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    assert program
    user = "user root;" if hasattr(os, "getuid") and os.getuid() == 0 else ""
    for _ in range(10):
        port = free_port()
        site = placed(block("site"), port=f" 127.0.0.1:{port} ", server=f":{server};", **files)
        config = folder / "nginx.conf"
        config.write_text(AROUND.format(folder=folder, user=user, site=site), "utf-8")
        command = [program, "-e", "stderr", "-p", str(folder), "-c", str(config)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            try:
                wait_until(lambda: listens(port) or process.poll() is not None)  # noqa: B023
                if process.poll() is None:
                    yield port
                    return
            finally:
                process.terminate()
            assert process.stderr
            said = process.stderr.read()
            assert "Address already in use" in said, said
    raise AssertionError("every port was taken")


@dataclass
class Server:
    """The computer that is always on, and what the vault is on another that Syncthing keeps like it."""

    served: Served
    way: Tunnel
    laptop: Path

    @asynccontextmanager
    async def with_token(self, answers: ElicitationFnT | None = None) -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {self.served.token}"}
        async with httpx.AsyncClient(transport=self.way, headers=headers, timeout=PATIENCE) as carrier:
            transport = streamable_http_client(f"{ORIGIN}/mcp", http_client=carrier)
            async with Client(transport, mode="legacy", elicitation_callback=answers) as client:
                yield client


@contextmanager
def synced(folder: Path, laptop: Path, here: Path) -> Iterator[None]:
    """Run Syncthing on both computers until the laptop has what is here."""
    both = [Daemon(folder / "Syncthing there", laptop, 0), Daemon(folder / "Syncthing here", here, 1)]
    try:
        for each in both:
            each.share_with(both)
            each.start()
        wait_until(lambda: len(list(laptop.rglob("*.md"))) == FADED_NOTES, seconds=SYNCED_SECONDS)
        yield
    finally:
        for each in both:
            each.end()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    short_term = folder / "Notes/Memories/Short-term"
    short_term.mkdir(parents=True)
    for number in range(FADED_NOTES):
        (short_term / f"Old thing {number}.md").write_text(FADED_NOTE.format(number=number), "utf-8")
    laptop = folder / "Laptop"
    with ExitStack() as stack:
        stack.enter_context(synced(folder, laptop, folder / "Notes"))
        served = stack.enter_context(serving(folder / "Notes", folder / "state", "--public-url", ORIGIN))
        files = certificate(folder)
        port = stack.enter_context(nginx(folder, files, served.port))
        yield Server(served, Tunnel(port, Path(files["pem"])), laptop)


async def found(client: Client, query: str) -> str:
    """Ask until something is found, and give its text."""
    with anyio.fail_after(SYNCED_SECONDS):
        while True:
            memories = structured(await client.call_tool("search_memory", {"query": query}))["results"]
            if memories:
                return str(memories[0])
            await anyio.sleep(0.05)


def test_two_clients_share_what_a_sync_tool_brings_and_what_each_of_them_saves(server: Server) -> None:
    served = server.served
    person = Person(server.way, ORIGIN, served.root, served.root.parent / "state")

    async def go() -> None:
        async with server.with_token() as laptop, person.client("Claude") as phone:
            text = FADED_NOTE.format(number=99).replace("An old thing", "The kiln of the potter")
            (server.laptop / "Memories/Short-term/Kiln.md").write_text(text, "utf-8")
            for client in (laptop, phone):
                assert "kiln of the potter" in await found(client, "kiln")
            saved = await phone.call_tool("save_memory", {"content": "The heron nests at the mill pond."})
            assert not saved.is_error
            assert "heron" in await found(laptop, "heron")

    anyio.run(go)
    assert any(b"heron nests" in note for note in served.notes().values())
    saved = (server.laptop / "Memories/Short-term").glob
    wait_until(lambda: any(b"heron" in note.read_bytes() for note in saved("*heron*.md")), seconds=SYNCED_SECONDS)


def test_a_question_comes_through_before_the_answer_does(server: Server) -> None:
    questions: list[str] = []

    async def answer(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        questions.append(params.message)
        return ElicitResult(action="accept", content={"agree": True})

    async def tidy() -> str:
        async with server.with_token(answer) as client:
            return text_of(await client.call_tool("gc", {"dry_run": False, "limit": 50}))

    assert "went to the archive" in anyio.run(tidy)
    assert len(questions) == 1


def test_the_name_that_was_asked_for_is_the_one_that_counts(server: Server) -> None:
    async def go(**headers: str) -> int:
        async with httpx.AsyncClient(transport=server.way, timeout=PATIENCE) as web:
            return (await web.post(f"{ORIGIN}/mcp", content=b"{}", headers=headers)).status_code

    async def several() -> list[int]:
        token = {"Authorization": f"Bearer {server.served.token}"}
        return [
            await go(),
            await go(**token, Host="evil.example"),
            await go(**token, Origin="https://evil.example"),
            await go(**token, Origin=ORIGIN),
        ]

    assert anyio.run(several) == [401, 421, 403, 400]
