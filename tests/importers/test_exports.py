"""Downloads of ChatGPT and Claude: what is proposed of them, and what is refused or told."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.app import App
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import InvalidInput
from mnemex_vault.importers.exports import Export, is_export
from mnemex_vault.importers.findings import Record
from mnemex_vault.importers.proposals import MOST, PassedOver, Proposal, Proposals, chosen, read_proposals
from mnemex_vault.importers.source import Kind, kind_of
from mnemex_vault.language.word_lists import Lexicon

NOW = datetime(2026, 6, 1, tzinfo=UTC)
MORNING = 1_740_823_200


def turn(
    name: str, text: object, parent: str | None, *, role: str = "user", to: str = "all", kind: str = "text"
) -> dict[str, Any]:
    content = {"content_type": kind, "parts": [text]} if isinstance(text, str) else text
    message = {"id": name, "author": {"role": role}, "create_time": MORNING, "recipient": to, "content": content}
    return {"id": name, "message": message, "parent": parent, "children": []}


def chatgpt(*turns: dict[str, Any], title: str = "Dinner", **more: object) -> dict[str, Any]:
    mapping = {"root": {"id": "root", "message": None, "parent": None}, **{each["id"]: each for each in turns}}
    last = turns[-1]["id"] if turns else "root"
    return {
        "title": title,
        "conversation_id": f"c-{title}",
        "create_time": MORNING,
        "mapping": mapping,
        "current_node": last,
        **more,
    }


def claude(*texts: str, title: str = "Trips") -> dict[str, Any]:
    messages = [
        {"uuid": f"m{number}", "sender": "human", "created_at": "2025-03-01T10:00:00Z", "text": "", "content": [part]}
        for number, part in enumerate({"type": "text", "text": text} for text in texts)
    ]
    return {"uuid": f"u-{title}", "name": title, "created_at": "2025-03-01T09:00:00Z", "chat_messages": messages}


def zipped(path: Path, **files: object) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in files.items():
            archive.writestr(f"{name.replace('__', '/')}.json", json.dumps(value))
    return path


def proposals(path: Path, known: Iterable[str] = ()) -> Proposals:
    def is_known(record: Record) -> bool:
        return record.content in set(known)

    return read_proposals(Export(path), Lexicon.of(), now=NOW, is_known=is_known)


def texts(found: Sequence[Proposal]) -> list[str]:
    return [each.record.content for each in found]


def test_what_a_person_said_is_proposed_with_conversation_service_and_date(tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "x.zip",
        conversations=[chatgpt(turn("a", "I am allergic to hazelnuts. What shall I cook?", "root"))],
    )
    [each] = proposals(path).found
    assert (each.record.content, each.conversation, each.service) == (
        "I am allergic to hazelnuts.",
        "Dinner",
        "ChatGPT",
    )
    assert each.said_at == datetime(2025, 3, 1, 10, tzinfo=UTC) == each.record.usage.created
    assert (each.record.origin, each.record.source, each.record.usage.last_used) == ("user", "ChatGPT: Dinner", NOW)


def test_what_the_assistant_said_is_not_proposed_and_what_it_put_down_is_a_memory(tmp_path: Path) -> None:
    put_down = turn("b", "User is vegetarian.", "a", role="assistant", to="bio")
    said = turn("c", "I prefer risotto, always, since I am an assistant.", "b", role="assistant")
    path = zipped(tmp_path / "x.zip", conversations=[chatgpt(turn("a", "Hello!", "root"), put_down, said)])
    [each] = proposals(path).found
    assert (each.record.content, each.record.origin, each.remembered) == ("User is vegetarian.", "ai", True)


def test_only_the_branch_that_was_shown_last_counts(tmp_path: Path) -> None:
    replaced, kept = turn("a", "I live in Graz.", "root"), turn("b", "I live in Linz.", "root")
    path = zipped(tmp_path / "x.zip", conversations=[chatgpt(replaced, kept)])
    assert texts(proposals(path).found) == ["I live in Linz."]


def test_what_was_put_down_in_a_branch_that_was_replaced_is_a_memory_all_the_same(tmp_path: Path) -> None:
    put_down = turn("a", "User is vegetarian.", "root", role="assistant", to="bio")
    path = zipped(tmp_path / "x.zip", conversations=[chatgpt(put_down, turn("b", "Hello!", "root"))])
    assert texts(proposals(path).found) == ["User is vegetarian."]


def test_what_may_be_a_memory_and_is_not_understood_is_named(tmp_path: Path) -> None:
    kept = {"account_uuid": "a-1", "updated_at": "2026-05-01", "styles": "Answer in German.", "memory_files": {"a": 1}}
    path = zipped(tmp_path / "x.zip", memories=kept, saved_memory=[{"text": "Tea."}], conversations=[])
    assert sorted(map(str, proposals(path).problems)) == [
        "memories.json:1: memory_files is not known, and was left out",
        "memories.json:1: styles is not known, and was left out",
        "saved_memory.json: may hold memories in a form that is not known, and was left out",
    ]


def test_a_long_memory_comes_whole_and_one_of_two_projects_twice(tmp_path: Path) -> None:
    long = "Anna teaches physics. " * 4_000
    kept = {"conversations_memory": long, "project_memories": {"p1": "Use tabs.", "p2": "Use tabs."}}
    projects = [{"uuid": "p1", "name": "Shop"}, {"uuid": "p2", "name": "Blog"}]
    found = proposals(zipped(tmp_path / "x.zip", memories=kept, projects=projects)).found
    assert [(each.record.content, each.record.project) for each in found] == [
        (long.strip(), None),
        ("Use tabs.", "Shop"),
        ("Use tabs.", "Blog"),
    ]


def test_standing_instructions_are_read_within_their_frame(tmp_path: Path) -> None:
    framed: dict[str, object] = {
        "content_type": "user_editable_context",
        "user_profile": "The user says:\n```I am a nurse in Graz.```",
    }
    path = zipped(tmp_path / "x.zip", conversations=[chatgpt(turn("a", framed, "root"))])
    assert texts(proposals(path).found) == ["I am a nurse in Graz."]


def test_what_was_not_to_be_remembered_is_told_by_number_alone(tmp_path: Path) -> None:
    secret = chatgpt(turn("a", "I am allergic to hazelnuts.", "root"), title="Hidden", is_do_not_remember=True)
    asked = claude("Please don't save this: I am pregnant.", "My password is hunter2hunter2!X, remember it.")
    found = proposals(zipped(tmp_path / "x.zip", conversations=[secret, asked]))
    assert texts(found.found) == []
    assert found.withheld >= 1
    assert [str(each) for each in found.problems] == ["x.zip: conversations that were not to be remembered: 1"]


def test_memories_of_claude_come_by_section_and_project(tmp_path: Path) -> None:
    kept = {
        "conversations_memory": "**Work context**\n\nAnna teaches physics.\n\n**Personal**\n\nShe plays the cello.",
        "project_memories": {"p1": "The shop runs on Django."},
        "memory_files": [{"path": "/areas/thesis.md", "content": "Due in May.", "updated_at": "2026-05-01T00:00:00Z"}],
    }
    project = {"uuid": "p1", "name": "Shop", "prompt_template": "Answer in German.", "docs": [{"content": "x"}]}
    found = proposals(zipped(tmp_path / "x.zip", memories__acct=kept, projects=[project]))
    assert {(each.record.title, each.record.content, each.record.project) for each in found.found} == {
        ("Shop", "Answer in German.", "Shop"),
        ("Work context", "Anna teaches physics.", None),
        ("Personal", "She plays the cello.", None),
        (None, "The shop runs on Django.", "Shop"),
        ("thesis", "Due in May.", None),
    }
    assert {each.record.origin for each in found.found} == {"ai", "user"}
    assert [str(each) for each in found.problems] == ["projects.json:1: documents of the project 'Shop' left out: 1"]


def test_a_folder_of_zips_is_read_as_one_download(tmp_path: Path) -> None:
    zipped(tmp_path / "conversations-000.zip", conversations=[claude("I am allergic to hazelnuts.")])
    zipped(tmp_path / "memories-000.zip", memories__acct={"conversations_memory": "Anna teaches."})
    assert texts(proposals(tmp_path).found) == ["Anna teaches.", "I am allergic to hazelnuts."]
    assert kind_of(tmp_path).is_export


def test_what_is_known_or_said_twice_is_not_proposed_again(tmp_path: Path) -> None:
    twice = [
        claude("I am allergic to hazelnuts."),
        claude("I am  Allergic to hazelnuts.", title="Two"),
        claude("I live in Graz.", title="3"),
    ]
    found = proposals(zipped(tmp_path / "x.zip", conversations=twice), known=["I live in Graz."])
    assert texts(found.found) == ["I am allergic to hazelnuts."]
    assert found.known == 1


def test_at_most_fifty_are_proposed_and_the_rest_waits(tmp_path: Path) -> None:
    towns = [claude(*(f"I lived in Town{number} as a child." for number in range(MOST + 20)))]
    found = proposals(zipped(tmp_path / "x.zip", conversations=towns))
    assert (len(found.found), found.waiting) == (MOST, 20)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("conversations.json", b'[{"uuid": "a", "chat_messages": [], "name": "x"}, {"uuid'),
        ("conversations.json", b"[[[[[" * 50_000),
        ("conversations.json", b"\xff\xfe\x00"),
        ("conversations.json", b""),
        ("conversations.json", b'[null, 7, "x", {}, {"mapping": 7}, {"mapping": {"a": 7, "b": {"message": 7}}}]'),
        ("conversations.json", b'[{"mapping": {"a": {"parent": "a", "message": null}}, "current_node": "a"}]'),
        ("conversations.json", b'[{"chat_messages": [7, {"sender": "human", "content": 7, "text": 7}]}]'),
        ("memories.json", b'{"conversations_memory": 7, "project_memories": 7, "memory_files": [7]}'),
    ],
)
def test_a_broken_export_costs_only_what_is_broken(tmp_path: Path, name: str, data: bytes) -> None:
    good = zipped(tmp_path / "good-conversations.zip", conversations=[claude("I am allergic to hazelnuts.")])
    with zipfile.ZipFile(good, "a") as archive:
        archive.writestr(f"more/{name}", data)
    assert texts(proposals(good).found) == ["I am allergic to hazelnuts."]


def test_times_beyond_reason_are_no_times(tmp_path: Path) -> None:
    odd = chatgpt(turn("a", "I am allergic to hazelnuts.", "root"), create_time=1e30)
    odd["mapping"]["a"]["message"]["create_time"] = float(10**25)
    [each] = proposals(zipped(tmp_path / "x.zip", conversations=[odd])).found
    assert each.record.usage.created == NOW


def test_a_conversation_without_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemex_vault.importers.exports._ONE_CONVERSATION", 200_000)
    endless = claude("I am allergic to hazelnuts.", "x" * 300_000)
    path = zipped(tmp_path / "x.zip", conversations=[claude("I live in Graz.", title="First"), endless])
    found = proposals(path)
    assert texts(found.found) == ["I live in Graz."]
    assert "cannot be read from here on" in str(found.problems[0])


def test_a_zip_that_no_service_makes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("conversations.json", "w") as file:
        for _ in range(80):
            file.write(b" " * (1 << 20))
    with pytest.raises(InvalidInput, match="more than a service would put into one"):
        Export(path)


def test_what_is_no_export_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"holds no conversations\.json"):
        Export(zipped(tmp_path / "x.zip", photos=[]))
    assert not is_export(zipped(tmp_path / "y.zip", user={}))
    assert kind_of(zipped(tmp_path / "z.zip", conversations=[])) is Kind.CHATGPT


def test_an_encrypted_member_is_told(tmp_path: Path) -> None:
    data = bytearray(zipped(tmp_path / "x.zip", conversations=[claude("I am allergic to hazelnuts.")]).read_bytes())
    # the bit that says so, in the local header and in the directory
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    (tmp_path / "x.zip").write_bytes(data)
    found = proposals(tmp_path / "x.zip")
    assert texts(found.found) == []
    assert "cannot be read" in str(found.problems[0])


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [("1-3,5", [0, 1, 2, 4]), ("all", [0, 1, 2, 3, 4]), ("none", []), ("2 4", [1, 3]), ("1-", [0])],
)
def test_an_answer_chooses_by_numbers(tmp_path: Path, answer: str, numbers: list[int]) -> None:
    said = [claude(*(f"I lived in Town{number} as a child." for number in range(5)))]
    found = proposals(zipped(tmp_path / "x.zip", conversations=said)).found
    assert chosen(found, answer) == [found[number] for number in numbers]
    assert chosen(found, found[3].record.id) == [found[3]]


@pytest.mark.parametrize("answer", ["0", "6", "3-1", "x", "-2", "1-99"])
def test_an_answer_that_names_nothing_is_refused(tmp_path: Path, answer: str) -> None:
    said = [claude(*(f"I lived in Town{number} as a child." for number in range(5)))]
    found = proposals(zipped(tmp_path / "x.zip", conversations=said)).found
    with pytest.raises(InvalidInput):
        chosen(found, answer)


def test_what_was_passed_over_is_kept_and_damage_to_it_hides_nothing(tmp_path: Path) -> None:
    passed = PassedOver(tmp_path / "passed-over")
    assert passed.ids() == frozenset()
    passed.add({"a"})
    passed.add({"b"})
    assert passed.ids() == {"a", "b"}
    (tmp_path / "passed-over").write_bytes(b"\xff")
    assert passed.ids() == frozenset()


def test_every_memory_of_an_export_is_proposed_and_every_proposal_can_be_brought_in(app: App, tmp_path: Path) -> None:
    from mnemex_vault.importers.bringing_in import Importer
    from mnemex_vault.importers.findings import Findings

    kept = {"conversations_memory": "\n\n".join(f"**Topic {number}**\n\nFact {number}." for number in range(60))}
    path = zipped(tmp_path / "x.zip", memories=kept, conversations=[claude("I am allergic to hazelnuts.")])
    found = proposals(path).found
    assert len(found) == 61
    Importer(app.memories).run(Findings(records=tuple(each.record for each in found)), summary="a test")
    entries = app.store.catalog.memories()
    assert {entry.tier for entry in entries} == {Tier.LONG_TERM, Tier.SHORT_TERM}
    assert {app.store.memory(entry).content for entry in entries} == set(texts(found))


def test_reading_stops_at_nothing_that_bytes_can_hold(tmp_path: Path) -> None:
    good = json.dumps([claude("I am allergic to hazelnuts."), chatgpt(turn("a", "I live in Graz.", "root"))]).encode()
    for cut in range(0, len(good), 17):
        (tmp_path / "conversations.json").write_bytes(good[:cut] + bytes([cut % 256]) + good[cut + 1 :])
        proposals(tmp_path / "conversations.json")
