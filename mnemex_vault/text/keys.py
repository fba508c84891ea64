"""The one table of frontmatter keys: a row says all that is particular to a key, in the order in which notes have them.

Reading, writing, merging, Obsidian's property types and the plugin's keys (`fields.ts`) follow from it. A value lies in
`Usage` or `Memory` under the name of its key, unless the row names another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from mnemex_vault.domain.memory import MAX_STRENGTH, Memory, RelationType, Tier, Usage

MAX_COUNT = 1_000_000


class Type(Enum):
    """What a value is: how odd spellings of it are read, and how it is written."""

    TAGS = auto()
    ALIASES = auto()
    LIST = auto()
    LINKS = auto()
    # what somebody wrote, and what only programs write
    TEXT = auto()
    WORD = auto()
    CHECKBOX = auto()
    COUNT = auto()
    NUMBER = auto()
    TIME = auto()
    DAY = auto()

    @property
    def of_obsidian(self) -> str:
        """Return Obsidian's name of the property type."""
        return _OF_OBSIDIAN[self]


_OF_OBSIDIAN = {
    Type.TAGS: "tags",
    Type.ALIASES: "aliases",
    Type.LIST: "multitext",
    Type.LINKS: "multitext",
    Type.TEXT: "text",
    Type.WORD: "text",
    Type.CHECKBOX: "checkbox",
    Type.COUNT: "number",
    Type.NUMBER: "number",
    Type.TIME: "datetime",
    Type.DAY: "date",
}


class Merge(Enum):
    """What two devices that changed a value come to; AS_TEXT leaves it to the merge of the lines."""

    AS_TEXT = auto()
    # without what one of them took out of a list
    ALL_ITEMS = auto()
    # what each added to what both began with
    SUM_OF_BOTH = auto()
    # the one that was changed, the larger if both were
    CHANGED = auto()
    # the larger number, the later time
    LARGEST = auto()
    # the later day, none if one of them took it away
    LATEST_DAY = auto()


@dataclass(frozen=True, slots=True)
class Field:
    """One key.

    `default` stands for a number that is absent or absurd, outside `least` to `most`. `digits` are kept: more would
    only show the noise of binary fractions. `written` tells of a usage in a tier whether the key is there; by default
    it is where its value is not the default.
    """

    key: str
    holds: Type
    of: type[Usage] | type[Memory] | None = Memory
    merge: Merge = Merge.AS_TEXT
    default: float | None = None
    least: float = 0
    most: float = MAX_COUNT
    digits: int | None = None
    written: Callable[[Usage, Tier], bool] | None = None
    named: str = ""

    @property
    def attribute(self) -> str:
        """Return the name of the value in its class."""
        return self.named or self.key


def _always(_usage: Usage, _tier: Tier) -> bool:
    return True


def _if_short_term(usage: Usage, tier: Tier) -> bool:
    return tier is Tier.SHORT_TERM or usage.pinned


def _after_a_review(usage: Usage, _tier: Tier) -> bool:
    return usage.review_count > 0


ID_KEY = "memory_id"

FIELDS: tuple[Field, ...] = (
    Field("tags", Type.TAGS, merge=Merge.ALL_ITEMS),
    Field("aliases", Type.ALIASES, merge=Merge.ALL_ITEMS),
    Field("entities", Type.LIST, merge=Merge.ALL_ITEMS),
    Field("project", Type.TEXT),
    *(Field(relation.value, Type.LINKS, merge=Merge.ALL_ITEMS, named="relations") for relation in RelationType),
    Field("relation_details", Type.LIST, merge=Merge.ALL_ITEMS, named="relations"),
    Field("source", Type.TEXT),
    Field("context", Type.TEXT),
    Field("origin", Type.WORD),
    Field("approved", Type.TIME),
    Field("kind", Type.WORD, Usage),
    Field("valid_from", Type.TIME),
    Field("pinned", Type.CHECKBOX, Usage, written=_if_short_term),
    Field("half_life_days", Type.NUMBER, Usage, least=0.001),
    # a projection for people and views, from which nothing is read
    Field("fades_on", Type.DAY, None, Merge.LATEST_DAY),
    Field("created", Type.TIME, Usage, written=_always),
    Field("last_used", Type.TIME, Usage, Merge.LARGEST, written=_always),
    Field("use_count", Type.COUNT, Usage, Merge.SUM_OF_BOTH, default=1, least=1, written=_always),
    Field("days_used", Type.COUNT, Usage, Merge.LARGEST, default=1, least=1),
    Field("strength", Type.NUMBER, Usage, Merge.CHANGED, default=1.0, most=MAX_STRENGTH, digits=6, written=_always),
    Field("review_count", Type.COUNT, Usage, Merge.SUM_OF_BOTH, default=0, written=_after_a_review),
    Field("last_review", Type.TIME, Usage, Merge.LARGEST, written=_after_a_review),
    Field("cross_domain_count", Type.COUNT, Usage, Merge.SUM_OF_BOTH, default=0, written=_after_a_review),
    Field("promoted", Type.TIME, Usage, Merge.LARGEST),
    Field("session", Type.TEXT),
    Field(ID_KEY, Type.WORD, named="id"),
)

KEY_ORDER = tuple(field.key for field in FIELDS)
RELATION_KEYS = tuple(RelationType)
USAGE_FIELDS = tuple(field for field in FIELDS if field.of is Usage)
TIME_FIELDS = tuple(field for field in FIELDS if field.holds is Type.TIME and field.of is Memory)
TEXT_FIELDS = tuple(field for field in FIELDS if field.holds is Type.TEXT)
WORD_FIELDS = tuple(field for field in FIELDS if field.holds is Type.WORD and field.of is Memory)
# their values are written without quotation marks, as the property types date and date & time have them
DATE_KEYS = frozenset({field.key for field in FIELDS if field.holds in (Type.TIME, Type.DAY)} | {"upkeep_run"})
