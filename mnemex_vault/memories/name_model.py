"""Names that a spaCy pipeline finds, for those who have one installed; nothing is ever downloaded.

The library belongs to the extra `ner`. It and the pipeline are loaded when the first text is read.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mnemex_vault.domain.entities import Entity, EntityKind
from mnemex_vault.errors import ModelUnavailable

_KINDS = {
    "PERSON": EntityKind.PERSON,
    "PER": EntityKind.PERSON,
    "ORG": EntityKind.ORGANISATION,
    "TECHNOLOGY": EntityKind.TECHNOLOGY,
}
# what these label is no name of anything that a memory is about
_NO_NAMES = frozenset(
    {"CARDINAL", "DATE", "LANGUAGE", "LAW", "MONEY", "NORP", "ORDINAL", "PERCENT", "QUANTITY", "TIME"}
)


class NameModel:
    """Gives the names that the pipeline of the settings finds in a text, none without one or if it cannot be used."""

    def __init__(self, configured: Callable[[], str | None]) -> None:
        self._configured = configured
        self._lock = threading.Lock()
        self._opened: tuple[str, Any | ModelUnavailable] | None = None

    def __call__(self, text: str) -> Sequence[Entity]:
        """Return the names in a text in their order."""
        with self._lock:
            pipeline = self._pipeline()
            if pipeline is None or isinstance(pipeline, ModelUnavailable):
                return []
            try:
                return _names(pipeline, text)
            except ModelUnavailable as error:
                self._opened = (self._configured() or "", error)
                return []

    def problem(self) -> str:
        """Return why the pipeline cannot be used, "" if it can or none is wanted."""
        with self._lock:
            pipeline = self._pipeline()
        return f"ner_model: {pipeline}" if isinstance(pipeline, ModelUnavailable) else ""

    def _pipeline(self) -> Any | ModelUnavailable | None:
        name = self._configured()
        if not name:
            return None
        if self._opened is None or self._opened[0] != name:
            try:
                self._opened = (name, _loaded(name))
            except ModelUnavailable as error:
                self._opened = (name, error)
        return self._opened[1]


def _loaded(name: str) -> Any:
    folder = Path(name).expanduser()
    try:
        import spacy

        return spacy.load(folder if folder.is_dir() else name)
    except ImportError as error:
        raise ModelUnavailable(Path(name), f"needs mnemex-vault[ner]: {error}") from error
    except Exception as error:  # the library raises what it likes for what it cannot load
        raise ModelUnavailable(Path(name), f"cannot be loaded: {error}") from error


def _names(pipeline: Any, text: str) -> list[Entity]:
    try:
        labelled = [(" ".join(each.text.split()), str(each.label_)) for each in pipeline(text).ents]
    except Exception as error:  # so do the parts of a pipeline
        raise ModelUnavailable(Path(str(pipeline.meta.get("name"))), f"cannot read a text: {error}") from error
    return [Entity(name, _KINDS.get(label, EntityKind.NAME)) for name, label in labelled if label not in _NO_NAMES]
