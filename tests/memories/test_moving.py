"""A note moves, and every link still means what it meant: nothing else in any note changes."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.memory import Tier
from mnemex_vault.memories.editing import Revision
from mnemex_vault.text.links import links
from tests.conftest import StandingClock

NAME = "Zoë's plan (draft)"
SHORT, LONG = "Memories/Short-term", "Memories/Long-term"
ID = "k7q2x4dhw9"
MEMORY = """---
origin: ai
pinned: false
created: 2026-11-20T12:00:00
last_used: 2026-11-20T12:00:00
use_count: 1
strength: 1
memory_id: {memory_id}
---
{content}
"""
# {name} is the name of the note, {encoded} the same in a web address; each stands in a note in the root of the vault
FORMS = {
    "bare": "[[{name}]]",
    "alias": "[[{name}|the plan]]",
    "heading": "[[{name}#Steps]]",
    "block": "[[{name}#^k1]]",
    "embed": "![[{name}]]",
    "path": "[[Memories/Short-term/{name}]]",
    "end of the path": "[[Short-term/{name}#Steps|the plan]]",
    "with ending": "[[Memories/Short-term/{name}.md]]",
    "in a comment": "%%[[Memories/Short-term/{name}]]%%",
    "in a table": "| a | b |\n|---|---|\n| [[Memories/Short-term/{name}\\|the plan]] | 1 |",
    "in the properties": '---\nrelated:\n  - "[[Memories/Short-term/{name}]]"\n---',
    "markdown": "[the plan]({encoded}.md)",
    "markdown path": "[the plan](Memories/Short-term/{encoded}.md#Steps)",
    "markdown in brackets": "[the plan](<Memories/Short-term/{name}.md>)",
    "markdown relative": "[the plan](./Memories/Short-term/{encoded}.md)",
}
SPELLINGS: dict[str, Callable[[str], str]] = {
    "unique": lambda name: name,
    "ambiguous": lambda name: name,
    "case": str.upper,
    "NFD": lambda name: unicodedata.normalize("NFD", name),
}
SURROUNDINGS = (
    "before `[[{name}]]` and\n\n```\n[[Memories/Short-term/{name}]]\n```\n\n{link}\n\nafter\n%%\n[[{name}]]\n%%\n"
)


def write(vault: Path, path: str, text: str) -> None:
    place = vault / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode())


def encoded(name: str) -> str:
    return name.replace(" ", "%20").replace("(", "%28").replace(")", "%29")


def spelled(form: str, name: str) -> str:
    return FORMS[form].format(name=name, encoded=encoded(name))


def texts(vault: Path) -> dict[str, str]:
    return {path.relative_to(vault).as_posix(): path.read_bytes().decode() for path in vault.rglob("*.md")}


def meant(app: App, vault: Path) -> Counter[tuple[str, str]]:
    """Give which note links to which, each note under a name that its move does not change."""
    names = {entry.path: entry.memory_id or entry.path for entry in app.store.catalog}
    found: Counter[tuple[str, str]] = Counter()
    for path, text in texts(vault).items():
        for link in links(text):
            target = app.store.catalog.resolve(link.target, source=path)
            if target is not None:
                found[names[path], names[target.path]] += 1
    return found


def move(app: App, *ids: str, folder: str | None = None) -> str:
    """Promote by hand; return the operation."""
    now = app.store.clock()
    plans = [app.lifecycle.promotion_candidate(each, now=now, force=True, folder=folder) for each in ids]
    moved = app.lifecycle.promote([plan for plan in plans if plan])
    assert [app.store.memory_entry(each).tier for each in ids] == [Tier.LONG_TERM] * len(ids)
    return moved[0].operation_id


def squared() -> Iterator[ParameterSet]:
    """Give every form in every folder and in every spelling; all three together only in a full run."""
    for (number, form), (at, folder), (which, spelling) in product(
        enumerate(FORMS), enumerate(["", "Garden", SHORT, LONG]), enumerate(SPELLINGS)
    ):
        is_plain = which == (number + at) % len(SPELLINGS)
        yield pytest.param(folder, form, spelling, marks=() if is_plain else pytest.mark.slow)


@pytest.mark.parametrize(("folder", "form", "spelling"), list(squared()))
@pytest.mark.row("T32")
def test_every_link_means_what_it_meant(app: App, vault: Path, folder: str, form: str, spelling: str) -> None:
    write(vault, f"{SHORT}/{NAME}.md", MEMORY.format(memory_id=ID, content="# Steps\n\nDo it. ^k1"))
    if spelling == "ambiguous":
        write(vault, f"Work/{NAME}.md", "Another plan.\n")
    name = SPELLINGS[spelling](NAME)
    link = spelled(form, name)
    text = SURROUNDINGS.format(name=name, link=link) if form != "in the properties" else f"{link}\n[[Elsewhere]]\n"
    if form == "markdown relative":
        text = text.replace("./", {"": "./", "Garden": "../", SHORT: "../../", LONG: "../../"}[folder])
    source = f"{folder}/List.md" if folder else "List.md"
    write(vault, source, text)
    app.follow(None)
    before, pictures = meant(app, vault), texts(vault)
    operation = move(app, ID)
    changed, after = texts(vault)[source], meant(app, vault)
    if spelling == "ambiguous" and "/" not in link and folder != SHORT:
        # nobody knows which of the two was meant, so that the link is left as it is
        assert changed == text
        assert after >= before
    else:
        assert after == before
    if "/" not in link and spelling != "ambiguous":
        assert changed == text
    assert changed.count("\n") == text.count("\n")
    for part in ("before `[[{name}]]` and", "```\n[[Memories/Short-term/{name}]]\n```", "after\n%%\n[[{name}]]\n%%"):
        assert part.format(name=name) in changed or form == "in the properties"
    app.history.undo(operation)
    assert texts(vault) == pictures


def test_the_links_are_written_in_the_form_in_which_they_stood(app: App, vault: Path) -> None:
    write(vault, f"{SHORT}/{NAME}.md", MEMORY.format(memory_id=ID, content="# Steps\n\nDo it. ^k1"))
    write(
        vault,
        "Garden/List.md",
        "\n\n".join(spelled(form, NAME) for form in FORMS if form != "in the properties").replace("./", "../"),
    )
    app.follow(None)
    move(app, ID)
    name, url = NAME, encoded(NAME)
    assert texts(vault)["Garden/List.md"].split("\n\n") == [
        f"[[{name}]]",
        f"[[{name}|the plan]]",
        f"[[{name}#Steps]]",
        f"[[{name}#^k1]]",
        f"![[{name}]]",
        f"[[{LONG}/{name}]]",
        f"[[{LONG}/{name}#Steps|the plan]]",
        f"[[{LONG}/{name}.md]]",
        f"%%[[{LONG}/{name}]]%%",
        f"| a | b |\n|---|---|\n| [[{LONG}/{name}\\|the plan]] | 1 |",
        f"[the plan]({url}.md)",
        f"[the plan](../{LONG}/{url}.md#Steps)",
        f"[the plan](<../{LONG}/{url}.md>)",
        f"[the plan](../{LONG}/{url}.md)",
    ]


def test_what_the_moved_note_links_to_stays_what_it_links_to(app: App, vault: Path) -> None:
    content = (
        "[a](../../Garden/Beds.md) [b](sub/Seeds.md) [c](./sub/plan.pdf) ![d](../../img/bed.png) [[Beds]] [e](Beds.md)\n"
        "[f](https://example.org/a.md) [g](#Steps) [[#Steps]] [h](mailto:a@b.c) `[i](../../Garden/Beds.md)` [[Twin]]\n"
        "[j](Garden/Beds.md) [k](nowhere/at-all.md)"
    )
    write(vault, f"{SHORT}/{NAME}.md", MEMORY.format(memory_id=ID, content=content))
    write(vault, "Garden/Beds.md", "Beds.\n")
    write(vault, f"{SHORT}/sub/Seeds.md", "Seeds.\n")
    write(vault, f"{SHORT}/sub/plan.pdf", "%PDF")
    write(vault, f"{SHORT}/Twin.md", "The one beside.\n")
    write(vault, "Work/Twin.md", "The other one.\n")
    write(vault, "img/bed.png", "")
    app.follow(None)
    before = meant(app, vault)
    move(app, ID, folder="Notes")
    assert meant(app, vault) == before
    assert texts(vault)[f"Notes/{NAME}.md"].partition("---\n")[2].partition("---\n")[2] == (
        f"[a](../Garden/Beds.md) [b](../{SHORT}/sub/Seeds.md) [c](../{SHORT}/sub/plan.pdf) ![d](../img/bed.png) [[Beds]] [e](Beds.md)\n"
        f"[f](https://example.org/a.md) [g](#Steps) [[#Steps]] [h](mailto:a@b.c) `[i](../../Garden/Beds.md)` [[{SHORT}/Twin]]\n"
        "[j](Garden/Beds.md) [k](nowhere/at-all.md)\n"
    )


def test_notes_that_move_together_keep_the_links_among_them(app: App, vault: Path) -> None:
    ids = ["k7q2x4dhw9", "m3v8r1tq5z"]
    write(vault, f"{SHORT}/One.md", MEMORY.format(memory_id=ids[0], content="[t](./Two.md) [[Two]] [[Short-term/Two]]"))
    write(vault, f"{SHORT}/Two.md", MEMORY.format(memory_id=ids[1], content="[o](One.md) ![[One#x]]"))
    write(vault, "Work/Two.md", "Another two.\n")
    app.follow(None)
    before = meant(app, vault)
    operation = move(app, *ids)
    assert meant(app, vault) == before
    assert f"[t](./Two.md) [[Two]] [[{LONG}/Two]]" in texts(vault)[f"{LONG}/One.md"]
    app.history.undo(operation)
    assert meant(app, vault) == before


def test_a_note_that_has_to_be_renamed_takes_its_links_along(app: App, vault: Path) -> None:
    write(vault, f"{SHORT}/Plan.md", MEMORY.format(memory_id=ID, content="Mine."))
    write(vault, f"{LONG}/Plan.md", "A person's.\n")
    write(vault, f"{SHORT}/List.md", "[[Plan]] and [[Plan|p]]\n")
    write(vault, f"{LONG}/List of mine.md", "[[Plan]]\n")
    app.follow(None)
    before = meant(app, vault)
    move(app, ID)
    assert app.store.memory_entry(ID).path == f"{LONG}/Plan 2.md"
    assert meant(app, vault) == before
    assert texts(vault)[f"{SHORT}/List.md"] == "[[Plan 2]] and [[Plan 2|p]]\n"
    assert texts(vault)[f"{LONG}/List of mine.md"] == "[[Plan]]\n"


def test_two_notes_of_one_name_do_not_meet_in_one_place(app: App, vault: Path, clock: StandingClock) -> None:
    ids = ["k7q2x4dhw9", "m3v8r1tq5z"]
    for folder, memory_id in zip(("One", "Two"), ids, strict=True):
        path = f"{SHORT}/{folder}/Plan.md"
        write(vault, path, MEMORY.format(memory_id=memory_id, content=f"Plan {folder}."))
    app.follow(None)
    for _ in range(4):
        clock.advance(hours=20)
        for memory_id in ids:
            app.lifecycle.touch(memory_id)
    plans = app.lifecycle.promotion_candidates(now=app.store.clock())
    assert len(app.lifecycle.promote(plans)) == 2
    assert {app.store.memory_entry(each).path for each in ids} == {f"{LONG}/Plan.md", f"{LONG}/Plan 2.md"}


def test_the_plan_names_the_notes_that_would_be_rewritten(app: App, vault: Path) -> None:
    write(vault, f"{SHORT}/Plan.md", MEMORY.format(memory_id=ID, content="Mine."))
    write(vault, "A.md", "[[Plan]]\n")
    write(vault, "B.md", "[[Short-term/Plan]]\n")
    app.follow(None)
    pictures = texts(vault)
    plan = app.lifecycle.promotion_candidate(ID, now=app.store.clock(), force=True)
    assert plan is not None
    assert plan.links_in == ["B.md"]
    assert texts(vault) == pictures


PRIVATE = {
    "tagged": "See [[{old}]]. #private\n",
    "property": '---\nmnemex: false\nrelated: "[[{old}|r]]"\n---\nIn `[[{old}]]` and ![[{old}#Steps]].\n',
    "comment": "Hidden %% see [[{old}]] and #tag %% and\n%%\n[[{old}]]\n%%\n",
    "callout, table, footnote": "> [!note] [[{old}|a]]\n\n| a |\n|---|\n| [[{old}\\|b]] |\n\nText[^1].\n\n[^1]: [[{old}]]\n",
    "generated": "---\nmnemex: review\n---\n- [ ] [[{old}]]\n",
    "markdown": "[a]({encoded}.md) and #private\n",
}


@pytest.mark.parametrize("kind", PRIVATE)
def test_a_new_title_is_followed_by_the_links_of_notes_that_are_never_shown(app: App, vault: Path, kind: str) -> None:
    write(vault, f"{SHORT}/Old name.md", MEMORY.format(memory_id=ID, content="# Steps"))
    text = PRIVATE[kind]
    write(vault, "Diary.md", text.format(old="Old name", encoded=f"{SHORT}/Old%20name"))
    app.follow(None)
    before = texts(vault)
    updated = app.editing.update(ID, Revision(title="New name"))
    expected = text.format(old="New name", encoded=f"{SHORT}/New%20name")
    for kept in ("`[[New name]]`", "%%\n[[New name]]\n%%"):
        expected = expected.replace(kept, kept.replace("New", "Old"))
    assert texts(vault)["Diary.md"] == expected
    assert updated.left_links == ()
    assert updated.operation_id is not None
    app.history.undo(updated.operation_id)
    assert texts(vault) == before


@pytest.mark.parametrize(
    "text",
    [
        "---\nkanban-plugin: board\n---\n- [ ] [[Old name]]\n",
        "---\nbroken: [\n---\n[[Old name]]\n",
        "---\nbroken: [\nmnemex: false\n---\n[[Old name]]\n",
    ],
)
def test_a_link_that_cannot_be_rewritten_is_named_and_the_rest_is_done(app: App, vault: Path, text: str) -> None:
    write(vault, f"{SHORT}/Old name.md", MEMORY.format(memory_id=ID, content="x"))
    write(vault, "Board.md", text)
    write(vault, "List.md", "[[Old name]]\n")
    app.follow(None)
    updated = app.editing.update(ID, Revision(title="New name"))
    assert [entry.path for entry in updated.left_links] == ["Board.md"]
    assert texts(vault)["Board.md"] == text
    assert texts(vault)["List.md"] == "[[New name]]\n"


def test_links_outside_the_write_scope_are_named_and_do_not_hinder_the_move(
    vault: Path, clock: StandingClock, environ: dict[str, str]
) -> None:
    write(vault, f"{SHORT}/Old name.md", MEMORY.format(memory_id=ID, content="x"))
    write(vault, "Work/List.md", f"[[{SHORT}/Old name]]\n")
    with open_app(vault, clock=clock, environ=environ, options={"write_paths": ("Home",)}) as app:
        app.follow(None)
        moved = app.lifecycle.forget(ID)
        assert [entry.path for entry in moved.left_links] == ["Work/List.md"]


CARDS = [
    {"id": "a", "type": "file", "file": f"{SHORT}/Old name.md", "subpath": "#Steps"},
    {"id": "b", "type": "text", "text": "See [[Old name#Steps|it]]."},
    {"id": "c", "type": "file", "file": "Old name.md"},
    {"id": "d", "type": "link", "url": "https://example.org/[[Old name]]"},
    {"id": "e", "type": "text", "text": 7, "file": ["x"]},
]
OUTSIDE = {
    "Boards/Shown.canvas": json.dumps({"nodes": [CARDS[0]]}),
    "Boards/Named.canvas": json.dumps({"nodes": [CARDS[1]], "edges": []}),
    "Boards/Neither.canvas": json.dumps({"nodes": CARDS[2:]}),
    "Boards/Cut off.canvas": json.dumps({"nodes": [CARDS[0]]})[:-4],
    "Boards/Odd.canvas": '{"nodes": {"a": "[[Old name]]"}}',
    "Boards/Null.canvas": "null",
    "Boards/Deep.canvas": "[" * 100_000,
    "Boards/Empty.canvas": "",
    "Templates/Week.md": '---\nabout: "[[Old name]]"\n---\n<% tp.date.now() %>\n',
    "Templates/Path.md": f"![[{SHORT}/Old name]]\n",
    "Templates/Other.md": "[[Another name]] and `[[Old name]]`\n",
}


def test_canvases_and_templates_whose_links_a_move_leaves_behind_are_named(
    vault: Path, clock: StandingClock, environ: dict[str, str]
) -> None:
    write(vault, ".obsidian/templates.json", '{"folder": "Templates"}')
    write(vault, f"{SHORT}/Old name.md", MEMORY.format(memory_id=ID, content="# Steps"))
    for path, text in OUTSIDE.items():
        write(vault, path, text)
    (vault / "Boards/Bytes.canvas").write_bytes(b"\xff\xfe\x00")
    before = {path: (vault / path).read_text() for path in OUTSIDE}
    with open_app(vault, clock=clock, environ=environ) as app:
        app.follow(None)
        forgotten = app.lifecycle.forget(ID)
        assert [each.path for each in forgotten.left_links] == ["Boards/Shown.canvas", "Templates/Path.md"]
        assert app.lifecycle.restore(ID).left_links == ()
        updated = app.editing.update(ID, Revision(title="New name"))
        named = ["Boards/Named.canvas", "Boards/Shown.canvas", "Templates/Path.md", "Templates/Week.md"]
        assert [each.path for each in updated.left_links] == named
    assert {path: (vault / path).read_text() for path in OUTSIDE} == before
