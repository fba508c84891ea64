"""Search beside SQLite's full text search, on small sets of our own: short and long notes, alone and in a talk."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from mnemex_vault.index.query import parse
from mnemex_vault.index.text_index import TextIndex
from tests.bench.foreign import paired
from tests.bench.fts5 import Fts5
from tests.index.texts import NOW, Sessions, note

FACTS = {
    "en": [
        ("Tom is allergic to penicillin, it gave him a rash", "what medicine is Tom allergic to"),
        ("The boiler was serviced by Hansen in March", "who serviced the boiler"),
        ("Mira wants a telescope for her birthday", "what does Mira want for her birthday"),
        ("The deploy key expires every ninety days", "when does the deploy key expire"),
        ("We park behind the bakery on market days", "where do we park on market days"),
        ("Grandma's plum cake needs cardamom", "what spice goes into the plum cake"),
    ],
    "de": [
        ("Der Zahnarzt hat die Praxis nach Potsdam verlegt", "wohin hat der Zahnarzt die Praxis verlegt"),
        ("Lena spielt seit dem Sommer Bratsche", "welches Instrument spielt Lena seit dem Sommer"),
        ("Die Heizung wird im Oktober entlüftet", "wann wird die Heizung entlüftet"),
        ("Der Schlüssel zum Keller hängt hinter der Tür", "wo hängt der Schlüssel zum Keller"),
    ],
    "fr": [
        ("Le plombier passe jeudi pour la fuite de la cuisine", "quand passe le plombier pour la fuite"),
        ("Camille apprend le portugais avec une voisine", "quelle langue apprend Camille"),
        ("Le chat de Nadia mange seulement du thon", "que mange le chat de Nadia"),
    ],
    "zh": [
        ("小明对花生过敏，不能吃坚果", "小明对什么过敏"),
        ("会议改到星期四下午在图书馆", "会议改到哪一天"),
        ("奶奶的生日是五月八日", "奶奶的生日是什么时候"),
    ],
}
FILLER = {
    "en": "The morning was grey and the street was quiet, so we talked about plans, weather and the neighbours again.",
    "de": "Am Morgen war es grau und die Straße war still, also sprachen wir über Pläne, Wetter und die Nachbarn.",
    "fr": "Le matin était gris et la rue calme, alors nous avons parlé de projets, du temps et des voisins.",
    "zh": "早上天气阴沉，街上很安静，我们又聊了计划、天气和邻居。",
}


@dataclass(frozen=True)
class Set:
    notes: dict[str, str]
    sessions: dict[str, list[str]]
    questions: list[tuple[str, str]]


def short() -> Set:
    """Facts alone, among notes that share words with the questions."""
    notes, questions = {}, []
    for language, facts in FACTS.items():
        for number, (fact, question) in enumerate(facts):
            notes[f"{language}/{number}.md"] = fact
            notes[f"{language}/asked {number}.md"] = f"{question}?"
            questions.append((question, f"{language}/{number}.md"))
    notes |= {f"{language}/day {n}.md": f"{text} {n}" for language, text in FILLER.items() for n in range(12)}
    return Set(notes, {}, questions)


def mixed() -> Set:
    """Short facts beside long notes that hold all the words of a question far apart."""
    base = short()
    notes = dict(base.notes)
    for number, (question, path) in enumerate(base.questions):
        language = path.partition("/")[0]
        words = question.split() if language != "zh" else list(question)
        notes[f"{language}/long {number}.md"] = " ".join(f"{FILLER[language]} {word}." for word in words)
    return Set(notes, {}, base.questions)


def within_long() -> Set:
    """Facts in the middle of long notes."""
    base = short()
    held = {path: f"{FILLER[path[:2]] * 8} {base.notes[path]}. {FILLER[path[:2]] * 8}" for _, path in base.questions}
    return Set(base.notes | held, {}, base.questions)


def beside_a_talk() -> Set:
    """Facts alone beside a talk that is about the same things."""
    base = short()
    talk = [f"talk/{number:02}.md" for number in range(40)]
    said = [question.rsplit(" ", 2)[0] for question, _ in base.questions]
    notes = base.notes | {path: f"{said[n % len(said)]}, said {n}" for n, path in enumerate(talk)}
    return Set(notes, {"talk": talk}, base.questions)


def in_a_talk() -> Set:
    """Facts that are replies: the words of the question stand in the note before."""
    base = short()
    sessions = {path: [path.replace("/", "/asked "), path] for _, path in base.questions}
    return Set(base.notes, sessions, base.questions)


def ours(chosen: Set, folder: Path) -> Iterator[list[str]]:
    index = TextIndex(folder)
    index.stage(note(path, text) for path, text in chosen.notes.items())
    for question, _ in chosen.questions:
        found = index.relevance(parse(question, now=NOW), neighbours=Sessions(chosen.sessions))
        yield sorted(found, key=lambda path: (-found[path], path))


def fts5(chosen: Set) -> Iterator[list[str]]:
    base = Fts5(sqlite3.connect(":memory:"))
    base.add((path, "", paired(text)) for path, text in chosen.notes.items())
    for question, _ in chosen.questions:
        yield base.search(paired(question), 10)


def mean_rank(found: Sequence[list[str]], questions: Sequence[tuple[str, str]]) -> float:
    places = [page.index(path) + 1 if path in page else None for page, (_, path) in zip(found, questions, strict=True)]
    return sum(1 / place for place in places if place) / len(places)


@pytest.mark.parametrize("made", [short, mixed, within_long, beside_a_talk, in_a_talk])
def test_search_finds_at_least_what_fts5_finds(made: object, tmp_path: Path) -> None:
    assert callable(made)
    chosen = made()
    mine, theirs = (mean_rank(list(found), chosen.questions) for found in (ours(chosen, tmp_path), fts5(chosen)))
    assert mine >= theirs, (mine, theirs)
    assert mine > 0.6
