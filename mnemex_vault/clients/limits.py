"""What a client cannot be given in a file, and what its person does instead: one sentence each."""

from __future__ import annotations

from collections.abc import Iterator

from mnemex_vault.clients.places import ClientName, Places

_RULES = {
    ClientName.CLAUDE_DESKTOP: "Claude Desktop keeps rules in your account: copy what `mnemex prompt` prints into the "
    "preferences of your profile.",
    ClientName.CURSOR: "Cursor keeps user rules in its settings and in no file: copy what `mnemex prompt` prints "
    "there.",
}
_PERMISSIONS = {
    ClientName.CLAUDE_DESKTOP: "Claude Desktop asks for each tool once in the app; choose “always allow” there.",
    ClientName.VSCODE: "VS Code keeps which tools need no confirmation in no file: choose “always allow” when it asks.",
    ClientName.WINDSURF: "Windsurf has no documented file for tools that need no confirmation; it asks in the app.",
}
_HOOKS = {
    ClientName.CLAUDE_DESKTOP: "Claude Desktop has no hooks; the rules that `mnemex prompt` prints do what they can.",
    ClientName.WINDSURF: "Windsurf's hooks cannot add anything to a conversation; the rules do what they can "
    "(`--rules`, or `mnemex prompt`).",
    ClientName.ZED: "Zed has no hooks; the rules do what they can (`--rules`, or `mnemex prompt`).",
}
_AFTERWARDS = {
    (ClientName.CODEX, "hooks"): "Codex runs new hooks only when you trust them: open `/hooks` in Codex once.",
    (ClientName.CURSOR, "permissions"): "Cursor now takes the list of MCP tools that need no confirmation from this "
    "file, in place of the one in its settings.",
    (
        ClientName.VSCODE,
        "hooks",
    ): "VS Code's hooks are a preview; it is given the brief at session start, nothing else.",
}


def missing_from(client: ClientName, where: Places) -> Iterator[str]:
    """Yield a sentence for each thing that this client cannot be given."""
    if where.rules is None:
        yield _RULES[client]
    if where.permissions is None:
        yield _PERMISSIONS[client]
    if where.hooks is None:
        yield _HOOKS[client]


def to_know(client: ClientName, *, hooks: bool, permissions: bool) -> Iterator[str]:
    """Yield what a person must know or do after these were written."""
    for wanted, what in ((hooks, "hooks"), (permissions, "permissions")):
        sentence = _AFTERWARDS.get((client, what))
        if wanted and sentence:
            yield sentence
