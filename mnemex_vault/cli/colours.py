"""`--no-color`: an option of every command, beside NO_COLOR and TERM=dumb of the environment."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated

import typer

from mnemex_vault.cli.session import Session

_NAME = "no_color"
_OPTION = inspect.Parameter(
    _NAME,
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool, typer.Option("--no-color", help="No colours; NO_COLOR in the environment says the same.")
    ],
)


def with_colours(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with an option that leaves the colours out."""

    @wraps(command)
    def coloured(*, context: typer.Context, **given: object) -> None:
        if given.pop(_NAME) and (session := context.find_object(Session)) is not None:
            session.console.plain()
        command(context=context, **given)

    signature = inspect.signature(command, eval_str=True)
    parameters = [*signature.parameters.values(), _OPTION]
    coloured.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return coloured
