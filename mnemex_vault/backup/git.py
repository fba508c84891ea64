"""The git program, with a repository and a work tree that may lie apart."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mnemex_vault.errors import MnemexError

_IDENTITY = {
    "GIT_AUTHOR_NAME": "Mnemex Vault",
    "GIT_AUTHOR_EMAIL": "mnemex-vault@localhost",
    "GIT_COMMITTER_NAME": "Mnemex Vault",
    "GIT_COMMITTER_EMAIL": "mnemex-vault@localhost",
}


# what is in the state folder is for one person
_OWN = 0o077


class GitFailed(MnemexError):
    """The git program is missing or refused; `reason` is what it said."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Git:
    """Runs git on one repository; its own settings and hooks, not those of the machine, apply to `private` ones."""

    repository: Path
    work_tree: Path
    private: bool

    def run(self, *arguments: str, stdin: bytes | None = None, allowed: Sequence[int] = (0,)) -> bytes:
        """Run a git command in the work tree and return what it printed; raises GitFailed."""
        return self._run(arguments, stdin, allowed).stdout

    def succeeds(self, *arguments: str) -> bool:
        """Tell whether a git command that answers yes or no says yes."""
        return self._run(arguments, None, (0, 1)).returncode == 0

    def _run(
        self, arguments: Sequence[str], stdin: bytes | None, allowed: Sequence[int]
    ) -> subprocess.CompletedProcess[bytes]:
        command = ["git", f"--git-dir={self.repository}", f"--work-tree={self.work_tree}", *self._options(), *arguments]
        try:
            done = subprocess.run(
                command,
                cwd=self.work_tree,
                input=stdin,
                capture_output=True,
                env=self._environ(),
                check=False,
                umask=_OWN if self.private else -1,
            )
        except OSError as error:
            raise GitFailed(f"git cannot be run: {error.strerror or error}") from error
        if done.returncode not in allowed:
            raise GitFailed(done.stderr.decode(errors="replace").strip() or f"git {arguments[0]} failed")
        return done

    def _options(self) -> list[str]:
        plain = ["-c", "core.quotePath=false", "-c", "core.autocrlf=false", "-c", "commit.gpgSign=false"]
        return [*plain, "-c", "core.hooksPath=/dev/null", "-c", "gc.auto=500"] if self.private else plain

    def _environ(self) -> Mapping[str, str]:
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        identity = _IDENTITY if self.private else {}
        return inherited | identity | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}


def keeper_of(path: Path) -> Path | None:
    """Return the repository that tracks a file or would with the next `git add`, None if there is none.

    Where git cannot be asked, any repository above the file counts.
    """
    path = path.resolve()
    root = next((folder for folder in path.parents if (folder / ".git").exists()), None)
    if root is None:
        return None
    try:
        ignored = Git(root / ".git", root, private=False).succeeds("check-ignore", "--quiet", "--", str(path))
    except GitFailed:
        return root
    return None if ignored else root
