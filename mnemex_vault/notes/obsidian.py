"""What Obsidian's own settings say about a vault; they are only ever read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

TrashOption = Literal["system", "local", "none"]
LinkFormat = Literal["shortest", "relative", "absolute"]

DEFAULT_FOLDER = ".obsidian"
_SIZE_LIMIT = 1 << 20


@dataclass(frozen=True, slots=True)
class ObsidianConfig:
    """The settings that concern a program which writes notes; what cannot be read has Obsidian's default."""

    folder: str = DEFAULT_FOLDER
    trash_option: TrashOption = "system"
    new_link_format: LinkFormat = "shortest"
    use_markdown_links: bool = False
    user_ignore_filters: tuple[str, ...] = ()
    template_folders: tuple[str, ...] = ()

    @classmethod
    def load(cls, root: Path) -> ObsidianConfig:
        """Read the settings in the vault's configuration folder, whatever its name; never raises for their content."""
        folder = _config_folder(root)
        app = _read_object(root / folder / "app.json")
        return cls(
            folder=folder,
            trash_option=cast(TrashOption, _choice(app, "trashOption", ("system", "local", "none"))),
            new_link_format=cast(LinkFormat, _choice(app, "newLinkFormat", ("shortest", "relative", "absolute"))),
            use_markdown_links=app.get("useMarkdownLinks") is True,
            user_ignore_filters=_texts(app.get("userIgnoreFilters")),
            template_folders=_template_folders(root / folder),
        )

    def ignore_rule(self) -> Callable[[str], bool]:
        """Return a function that tells whether Obsidian counts a path among the excluded files.

        An entry is the start of a path or `/a regular expression/`; one that cannot be read excludes nothing.
        """
        prefixes = tuple(text for text in self.user_ignore_filters if not _is_pattern(text))
        patterns = [
            pattern
            for text in self.user_ignore_filters
            if _is_pattern(text) and (pattern := _compiled(text[1:-1])) is not None
        ]
        return lambda path: path.startswith(prefixes) or any(pattern.search(path) for pattern in patterns)


def _config_folder(root: Path) -> str:
    try:
        with os.scandir(root) as entries:
            hidden = sorted(entry.name for entry in entries if entry.name.startswith(".") and entry.is_dir())
    except OSError:
        return DEFAULT_FOLDER
    configured = [name for name in hidden if (root / name / "app.json").is_file()]
    return configured[0] if configured and DEFAULT_FOLDER not in configured else DEFAULT_FOLDER


def _read_object(path: Path) -> Mapping[str, object]:
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(_SIZE_LIMIT).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _choice(settings: Mapping[str, object], key: str, choices: tuple[str, ...]) -> str:
    value = settings.get(key)
    return value if isinstance(value, str) and value in choices else choices[0]


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text for text in value if isinstance(text, str) and text) if isinstance(value, list) else ()


def _template_folders(config: Path) -> tuple[str, ...]:
    """Return the folders of the core plugin Templates and of Templater."""
    found = (
        _read_object(config / "templates.json").get("folder"),
        _read_object(config / "plugins" / "templater-obsidian" / "data.json").get("templates_folder"),
    )
    folders = (folder.strip("/") for folder in found if isinstance(folder, str))
    return tuple(dict.fromkeys(folder for folder in folders if folder))


def _is_pattern(text: str) -> bool:
    return len(text) > 2 and text.startswith("/") and text.endswith("/")


def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return None
