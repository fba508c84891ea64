"""Ninety simulated days of need: when memories are born, and when each is needed again.

World A  after Anderson and Milson (1989): every memory has a desirability of its own (gamma), fades with a half-life
         of its own (half a day to 120 days) and comes back when its topic does. No curve under test makes it.
World B  a memory is the likelier to be needed the more and the more recently it was (base level, d = 0.5): kind to
         power laws.
World C  as A, with topics that come back every week or month: unkind to mere recency.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

DAYS = 90
BIRTHS_A_DAY = 20
TOPICS = 25
NEEDS_A_DAY = 90.0

Kind = Literal["A", "B", "C"]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Need:
    """A memory is needed, so many days after the start."""

    day: float
    memory: int


@dataclass(frozen=True, slots=True)
class World:
    """The day of each birth in ascending order, and the needs in the order of time."""

    births: Sequence[float]
    needs: Sequence[Need]


def world(kind: Kind, seed: int) -> World:
    """Return a world; the same kind and seed give the same."""
    chance = np.random.default_rng(seed)
    count = DAYS * BIRTHS_A_DAY
    births: Numbers = np.sort(chance.uniform(0, DAYS, count))
    popularity = chance.dirichlet(np.full(TOPICS, 0.5))
    topics = chance.choice(TOPICS, count, p=popularity)
    if kind == "B":
        needs = list(_self_exciting(chance, births))
    else:
        needs = list(_desired(chance, births, topics, recurring=kind == "C"))
    kept = [need for need in needs if births[need.memory] < need.day <= DAYS]
    return World([float(day) for day in births], sorted(kept, key=lambda need: (need.day, need.memory)))


def _desired(
    chance: np.random.Generator, births: Numbers, topics: NDArray[np.int64], *, recurring: bool
) -> Iterator[Need]:
    count = len(births)
    desirability = chance.gamma(0.5, 0.35, count)
    half_lives = np.exp(chance.uniform(math.log(0.5), math.log(120), count))
    rates = math.log(2) / half_lives
    bursts = [np.sort(chance.uniform(0, DAYS, chance.poisson(DAYS / 20))) for _ in range(TOPICS)]
    periods = {}
    if recurring:
        for topic in range(0, TOPICS, 2):
            periods[topic] = (7.0 if topic % 4 else 30.0, chance.uniform(0, 7))
    for memory in range(count):
        born, topic, rate = births[memory], int(topics[memory]), rates[memory]
        revived = [burst for burst in bursts[topic] if burst > born and chance.random() < 0.5]
        for start in [born, *revived]:
            whole = 1 - math.exp(-rate * (DAYS - start))
            for share in chance.random(chance.poisson(desirability[memory] / rate * whole)):
                yield Need(float(start - math.log(1 - share * whole) / rate), memory)
        if topic in periods and desirability[memory] > 0.1:
            yield from _recurring(chance, memory, born, *periods[topic])


def _recurring(chance: np.random.Generator, memory: int, born: float, period: float, phase: float) -> Iterator[Need]:
    day = phase
    while day < DAYS:
        if day > born and chance.random() < 0.25:
            yield Need(float(day + chance.uniform(0, 0.3)), memory)
        day += period


def _self_exciting(chance: np.random.Generator, births: Numbers) -> Iterator[Need]:
    step, remembered = 0.05, 12
    weights = chance.gamma(0.5, 2.0, len(births))
    uses = np.full((len(births), remembered), np.nan)
    counts = np.zeros(len(births), dtype=int)
    alive, day = 0, 0.0
    while day < DAYS:
        day += step
        while alive < len(births) and births[alive] <= day:
            uses[alive, 0], counts[alive] = births[alive], 1
            alive += 1
        if alive < 10:
            continue
        ages = np.maximum(day - uses[:alive], 0.02)
        drive = weights[:alive] * np.nansum(ages**-0.5, axis=1)
        for memory in chance.choice(alive, chance.poisson(NEEDS_A_DAY * step), p=drive / drive.sum()):
            yield Need(day, int(memory))
            uses[memory, counts[memory] % remembered] = day
            counts[memory] += 1
