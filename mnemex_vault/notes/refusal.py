"""What to do when the system refuses."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from mnemex_vault.errors import MnemexError, WriteFailed

logger = logging.getLogger(__name__)


@contextmanager
def refused_as(what: str) -> Iterator[None]:
    """Turn an OSError into WriteFailed about `what`."""
    try:
        yield
    except OSError as error:
        raise WriteFailed(what, error.strerror or str(error)) from error


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Leave something for the next start if the system refuses it now, and say so in the log."""
    try:
        yield
    except (MnemexError, OSError) as error:
        logger.warning("%s must wait: %s", what, error)
