"""`lab`: what other settings would have made of the memories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import Faint, Grid, Part

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.domain.decay import Pauses
    from mnemex_vault.domain.replay import Outcome
    from mnemex_vault.domain.scoring import Policy
    from mnemex_vault.settings import Settings

# values of settings by the name under which they are compared
Tried = Mapping[str, Mapping[str, object]]

_DAYS = 90
_HEADS = ("Settings", "permanent", "forgotten", "of these needed", "uses missed")


def lab(
    context: typer.Context,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting to try; may be given several times."),
    ] = None,
    synthetic: Annotated[
        bool, typer.Option("--synthetic", help="On made-up memories of 90 days instead of your own.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Which made-up memories.")] = 0,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Try other settings on what happened. Says how much they forget, and how much of that was needed."""
    from mnemex_vault.domain.replay import outcome, pauses_of
    from mnemex_vault.memories.lab import made_up, recorded

    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        now = app.memories.now()
        found = recorded(app.memories)
        lives = made_up(start=now - timedelta(days=_DAYS), days=_DAYS, seed=seed) if synthetic else found.lives
        guessed = 0 if synthetic else found.guessed_uses
        pauses = (pauses_of(lives) if synthetic else found.pauses).until(now.timestamp())
        with session.console.working("Living the memories again"):
            outcomes = {
                name: outcome(lives, _policy(tried, pauses), zone=app.zone, end=now)
                for name, tried in _tried(app, settings).items()
            }
        data = {"guessed_uses": guessed, "outcomes": {name: asdict(each) for name, each in outcomes.items()}}
        session.console.answer(data, _parts(outcomes, guessed))


def _policy(tried: Settings, pauses: Pauses) -> Policy:
    policy = tried.policy()
    return policy if tried.decay_clock == "days" else replace(policy, pauses=pauses)


def _tried(app: App, given: list[str] | None) -> Mapping[str, Settings]:
    """Return the settings as they are and those to compare: the given ones, else the three curves and the presets."""
    from mnemex_vault.domain.decay import DecayClock
    from mnemex_vault.settings import PRESETS
    from mnemex_vault.settings.table import DecayModel

    if given:
        return {"as it is": app.settings, ", ".join(given): _with(app.settings, _read(given))}
    clocks: dict[str, Mapping[str, object]] = {
        f"decay_clock={name}": {"decay_clock": name} for name in get_args(DecayClock)
    }
    curves = {name: {"decay_model": name} for name in get_args(DecayModel)}
    presets = {name: values for name, values in PRESETS.items() if values}
    tried = {name: _with(app.settings, values) for name, values in {**clocks, **curves, **presets}.items()}
    current = (app.settings.policy(), app.settings.decay_clock)
    others = {name: each for name, each in tried.items() if (each.policy(), each.decay_clock) != current}
    return {"as it is": app.settings, **others}


def _with(settings: Settings, values: Mapping[str, object]) -> Settings:
    changed = replace(settings, **values)  # type: ignore[arg-type]  # every value was read by the row of its setting
    problems = [reason for _, reason in changed.conflicts()]
    if problems:
        raise typer.BadParameter("; ".join(problems))
    return changed


def _read(given: list[str]) -> dict[str, object]:
    from mnemex_vault.settings import TABLE

    values: dict[str, object] = {}
    for text in given:
        name, equals, raw = text.partition("=")
        row = TABLE.get(name.strip())
        if row is None or not equals:
            raise typer.BadParameter(f"{text!r} is not NAME=VALUE with the name of a setting")
        try:
            values[row.name] = row.kind.read(raw.strip())
        except ValueError as error:
            raise typer.BadParameter(f"{row.name} {error}") from error
    return values


def _parts(outcomes: Mapping[str, Outcome], guessed: int) -> Iterator[Part]:
    """Give a table whose first row is how things are."""
    yield _opening(outcomes)
    rows = []
    for name, each in outcomes.items():
        share = each.missed / each.uses if each.uses else 0.0
        figures = (f"{each.promoted:,}", f"{each.forgotten:,}", f"{each.needed_later:,}", f"{share:.1%}")
        rows.append([name, *figures])
    yield Grid(rows=rows, heads=_HEADS, figures=True)
    yield from _closing(guessed)


def _opening(outcomes: Mapping[str, Outcome]) -> str:
    first = next(iter(outcomes.values()))
    memories, uses = words.count(first.memories, "memory", "memories"), words.count(first.uses, "use")
    return f"{memories} and {uses}, lived again under other settings:"


def _closing(guessed: int) -> list[str]:
    if not guessed:
        return []
    spread = words.count(guessed, "use")
    return [Faint(f"The time of {spread} is not known; they are spread evenly up to the last one.")]
