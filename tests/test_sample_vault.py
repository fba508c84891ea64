"""The sample vault is what the note format promises; judged without the package's own reader of notes."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import cast
from urllib.parse import unquote
from zoneinfo import ZoneInfo

import pytest
import yaml

from mnemex_vault.domain.memory import RelationType, Usage
from mnemex_vault.domain.scoring import Policy, fades_at, promotion_reason, score

VAULT = Path(__file__).parents[1] / "sample-vault"
ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 29, 23, 0, tzinfo=ZONE).astimezone(UTC)
RELATIONS = [relation.value for relation in RelationType]
KEY_ORDER = [
    *["tags", "aliases", "entities", "project"],
    *RELATIONS,
    *["relation_details", "source", "context", "origin", "pinned", "half_life_days", "fades_on"],
    *["created", "last_used", "use_count", "days_used", "strength"],
    *["review_count", "last_review", "cross_domain_count", "promoted", "session", "memory_id"],
]
ALWAYS = {"created", "last_used", "use_count", "strength", "memory_id", "pinned"}
LISTS = {"tags", "aliases", "entities", "relation_details", *RELATIONS}
Properties = dict[str, object]


def frontmatter_of(text: str) -> Properties:
    if not text.startswith("---\n"):
        return {}
    block = text.removeprefix("---\n").partition("\n---\n")[0]
    # every scalar stays the text that was written
    return cast(Properties, yaml.load(block, Loader=yaml.BaseLoader))


NOTES = {
    PurePosixPath(file.relative_to(VAULT).as_posix()): file.read_text(encoding="utf-8")
    for file in sorted(VAULT.rglob("*.md"))
}
MEMORIES = {path: frontmatter_of(text) for path, text in NOTES.items() if "memory_id" in frontmatter_of(text)}


def tier_of(path: PurePosixPath) -> str:
    folders = {"Memories/Short-term": "short-term", "Memories/Archive": "archived"}
    return next((tier for folder, tier in folders.items() if path.is_relative_to(folder)), "long-term")


def moment(text: object) -> datetime:
    return datetime.strptime(str(text), "%Y-%m-%dT%H:%M:%S").replace(tzinfo=ZONE).astimezone(UTC)


def usage_of(keys: Properties) -> Usage:
    half_life, promoted = keys.get("half_life_days"), keys.get("promoted")
    return Usage(
        created=moment(keys["created"]),
        last_used=moment(keys["last_used"]),
        use_count=int(str(keys["use_count"])),
        days_used=int(str(keys.get("days_used", 1))),
        strength=float(str(keys["strength"])),
        pinned=keys["pinned"] == "true",
        half_life_days=float(str(half_life)) if half_life else None,
        promoted=moment(promoted) if promoted else None,
    )


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```|`[^`\n]+`", "", text, flags=re.MULTILINE | re.DOTALL)


def wikilinks(text: str) -> list[str]:
    return [target.rstrip("\\") for target in re.findall(r"\[\[([^\]|#]*)[^\]]*\]\]", without_code(text))]


def test_the_vault_holds_25_memories_of_every_tier_among_a_persons_own_notes() -> None:
    assert Counter(tier_of(path) for path in MEMORIES) == {"short-term": 15, "long-term": 7, "archived": 3}
    assert len(NOTES) == 45


@pytest.mark.parametrize("path", MEMORIES, ids=str)
def test_keys_are_known_in_order_and_of_their_type(path: PurePosixPath) -> None:
    keys = MEMORIES[path]
    assert list(keys) == sorted(keys, key=KEY_ORDER.index)
    assert keys.keys() >= ALWAYS
    assert all(isinstance(value, list) == (key in LISTS) for key, value in keys.items())


def test_memory_ids_are_unique_legal_and_never_read_as_numbers() -> None:
    ids = [str(keys["memory_id"]) for keys in MEMORIES.values()]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{9}", memory_id) for memory_id in ids)


@pytest.mark.parametrize("path", MEMORIES, ids=str)
def test_times_and_counts_are_possible(path: PurePosixPath) -> None:
    usage = usage_of(MEMORIES[path])
    assert usage.created <= usage.last_used <= NOW
    assert usage.days_used <= usage.use_count
    assert usage.days_used <= (usage.last_used - usage.created).days + 2
    assert (usage.promoted is not None) == (tier_of(path) == "long-term")


@pytest.mark.parametrize("path", MEMORIES, ids=str)
def test_the_day_of_fading_is_right_and_only_on_short_term_notes_that_fade(path: PurePosixPath) -> None:
    keys = MEMORIES[path]
    usage = usage_of(keys)
    if tier_of(path) != "short-term" or usage.pinned:
        assert "fades_on" not in keys
        return
    moment_of_fading = fades_at(usage, Policy())
    assert moment_of_fading is not None
    assert keys["fades_on"] == moment_of_fading.astimezone(ZONE).date().isoformat()


@pytest.mark.parametrize("path", NOTES, ids=str)
def test_every_link_leads_to_exactly_one_note(path: PurePosixPath) -> None:
    names = Counter(other.stem.casefold() for other in NOTES)
    for target in wikilinks(NOTES[path]):
        assert names[target.casefold()] == 1, target
    for target in re.findall(r"\]\(([^)\s]+\.md)\)", NOTES[path]):
        assert (VAULT / path.parent / unquote(target)).is_file(), target


@pytest.mark.parametrize("path", NOTES, ids=str)
def test_file_names_are_legal_everywhere_and_composed(path: PurePosixPath) -> None:
    assert unicodedata.is_normalized("NFC", str(path))
    assert not re.search(r'[\\:*?"<>|#^\[\]]|%%', str(path))
    assert len(path.stem) <= 60
    assert path.stem == path.stem.strip(" .")


def test_relations_and_entities_are_quoted_links_where_a_note_exists() -> None:
    names = {path.stem for path in NOTES}
    for keys in MEMORIES.values():
        relations = [str(item) for key in RELATIONS for item in cast(list[str], keys.get(key, []))]
        assert all(re.fullmatch(r"\[\[[^\[\]|#]+\]\]", item) for item in relations)
        assert not names.intersection(cast(list[str], keys.get("entities", [])))


def test_memories_of_every_age_are_there_to_be_reviewed_promoted_and_forgotten() -> None:
    policy = Policy()
    short = [usage_of(keys) for path, keys in MEMORIES.items() if tier_of(path) == "short-term"]
    scores = [score(usage, policy, now=NOW) for usage in short if not usage.pinned]
    assert sum(value < policy.forget_threshold for value in scores) == 3
    assert sum(policy.forget_threshold <= value < policy.review_min for value in scores) == 3
    assert sum(policy.review_min <= value < policy.review_max for value in scores) == 2
    assert sum(usage.pinned for usage in short) == 1
    assert any(promotion_reason(usage, policy, now=NOW) for usage in short)


def test_the_odd_ones_are_there() -> None:
    texts = {path: text.partition("\n---\n")[0] for path, text in NOTES.items()}
    assert any(re.search(r"^\s*#", texts[path], re.MULTILINE) for path in MEMORIES), "comments in a frontmatter"
    assert any(tier_of(path) == "long-term" and path.parts[0] != "Memories" for path in MEMORIES)
    assert any("supersedes" in keys for keys in MEMORIES.values())
    assert any("aliases" in keys for keys in MEMORIES.values())
    unmanaged = [path for path in NOTES if tier_of(path) == "short-term" and path not in MEMORIES]
    assert [frontmatter_of(NOTES[path]) for path in unmanaged] == [{}]


def test_one_settings_note_names_the_time_zone_and_the_configuration_is_plain() -> None:
    settings = [keys for keys in map(frontmatter_of, NOTES.values()) if keys.get("mnemex") == "settings"]
    assert [keys["timezone"] for keys in settings] == ["Europe/Berlin"]
    assert isinstance(json.loads((VAULT / ".obsidian/app.json").read_text(encoding="utf-8")), dict)
