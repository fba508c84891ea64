"""What tools take: types with their limits, strict, so that a wrong type is refused before anything happens.

Models write a number or a yes as a text, and a list of one as that one. It is taken where nothing else can be meant.
"""

from __future__ import annotations

import json
import re
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from mnemex_vault.domain.memory import MAX_CONTENT
from mnemex_vault.memories.draft import MAX_CONTEXT, MAX_ENTITIES, MAX_LABEL, MAX_SOURCE, MAX_TAGS, MAX_TITLE

MAX_IDS = 100
# a note id holds a path, which has at most 4096 bytes
_MAX_ID = 4_200
_MAX_USED = 10

# what an argument is called as well, by predecessors and other tools
OTHER_NAMES = {"top_k": "limit"}

# no number or yes is longer
_LONGEST_WORD = 400
_SEVERAL_IDS = re.compile(r"[\w-]+(?:\s*,\s*[\w-]+)+")


def _said(value: object) -> object:
    """Return the number or the yes or no that a text is.

    >>> _said(" 0.5"), _said("True"), _said("yes"), _said("1,000")
    (0.5, True, 'yes', '1,000')
    """
    if not isinstance(value, str) or len(value) > _LONGEST_WORD:
        return value
    try:
        said = json.loads(value.strip().lower())
    except (ValueError, RecursionError):
        return value
    return said if isinstance(said, int | float) else value


def _whole(value: object) -> object:
    """Return the whole number that a text or a number with an empty fraction is.

    >>> _whole("5"), _whole(5.0), _whole("5.0"), _whole(5.5)
    (5, 5, 5, 5.5)
    """
    said = _said(value)
    return int(said) if isinstance(said, float) and said.is_integer() else said


def _labels(value: object) -> object:
    """Return the list that a text with commas is: no tag has one.

    >>> _labels("tea, green tea"), _labels(["a,b"])
    (['tea', 'green tea'], ['a,b'])
    """
    if not isinstance(value, str):
        return value
    return [_not_empty(part) for part in re.split(r"[,\n]", value)]


def _names(value: object) -> object:
    """Return the list of one that a text is, unless it may be several or one with a comma in its name."""
    if isinstance(value, str) and re.search(r"[,\n]", value):
        raise ValueError("is a list, since a name may have a comma in it")
    return [_not_empty(value)] if isinstance(value, str) else value


def _ids(value: object) -> object:
    """Return the list of ids that a text is; the path in the id of an ordinary note may have commas.

    >>> _ids("k7q2x4dhw9, m3v8r1tq5z"), _ids("note:Tea, green.md")
    (['k7q2x4dhw9', 'm3v8r1tq5z'], ['note:Tea, green.md'])
    """
    if not isinstance(value, str):
        return value
    return _labels(value) if _SEVERAL_IDS.fullmatch(value.strip()) else [_not_empty(value)]


def _not_empty(part: str) -> str:
    if not part.strip():
        raise ValueError("is a list; an empty text may mean an empty one, or nothing")
    return part.strip()


_Said = BeforeValidator(_said)
_Whole = BeforeValidator(_whole)
_Labels = BeforeValidator(_labels)
_Names = BeforeValidator(_names)
_Ids = BeforeValidator(_ids)

Switch = Annotated[bool, Field(strict=True), _Said]
_Id = Annotated[str, StringConstraints(min_length=1, max_length=_MAX_ID)]
_Label = Annotated[str, StringConstraints(max_length=MAX_LABEL)]

Content = Annotated[str, Field(max_length=MAX_CONTENT)]
Query = Annotated[str, Field(max_length=MAX_CONTENT)]
About = Annotated[str, Field(max_length=MAX_CONTENT, description="of a long note, what answers this")]
Title = Annotated[str, Field(max_length=MAX_TITLE)]
Source = Annotated[str, Field(max_length=MAX_SOURCE)]
Context = Annotated[str, Field(max_length=MAX_CONTEXT)]
Project = Annotated[str, Field(max_length=MAX_LABEL)]
Session = Annotated[str, Field(max_length=MAX_SOURCE, description="name of this conversation")]
Reason = Annotated[str, Field(max_length=MAX_SOURCE)]
Folder = Annotated[str, Field(max_length=1_000, description="a long-term folder of the vault")]
Meta = Annotated[dict[str, object], Field(description="kept as text in context")]

Tags = Annotated[list[_Label], Field(max_length=MAX_TAGS), _Labels]
Entities = Annotated[
    list[_Label], Field(max_length=MAX_ENTITIES, description="people, projects, technologies named in it"), _Names
]
MemoryId = Annotated[str, Field(min_length=1, max_length=_MAX_ID)]
MemoryIds = Annotated[list[_Id], Field(max_length=MAX_IDS), _Ids]
OneOrMoreIds = Annotated[_Id | MemoryIds, Field(), _Ids]
Supersedes = Annotated[
    list[_Id], Field(max_length=_MAX_USED, description="ids of memories that this one replaces"), _Ids
]
UsedIds = Annotated[list[_Id], Field(max_length=_MAX_USED, description="earlier results you relied on"), _Ids]

Strength = Annotated[
    float,
    Field(
        strict=True, ge=0, le=2, allow_inf_nan=False, description="0.5 tentative, 1 normal, 1.5 important, 2 critical"
    ),
    _Said,
]
HalfLife = Annotated[float, Field(strict=True, gt=0, le=36_500, allow_inf_nan=False), _Said]
Weight = Annotated[float, Field(strict=True, ge=0, le=2, allow_inf_nan=False), _Said]
MinScore = Annotated[float, Field(strict=True, ge=0, le=1_000, allow_inf_nan=False), _Said]
Time = Annotated[str, Field(max_length=MAX_LABEL)]
WindowDays = Annotated[int, Field(strict=True, ge=1, le=3_650, description="used within so many days"), _Whole]
Results = Annotated[int, Field(strict=True, ge=1, le=100), _Whole]
PageNumber = Annotated[int, Field(strict=True, ge=1, le=1_000_000), _Whole]
PageSize = Annotated[int, Field(strict=True, ge=1, le=100), _Whole]
PreviewLength = Annotated[int, Field(strict=True, ge=0, le=5_000, description="0 gives the whole text"), _Whole]
Limit = Annotated[int, Field(strict=True, ge=1, le=10_000), _Whole]

Origin = Annotated[Literal["user", "ai", "web"], Field(description="who says so: web for text from the internet")]
Kind = Annotated[
    Literal["rule", "preference", "identity", "safety", "none"],
    Field(description="what it tells for good; never fades (found in the text)"),
]
OnDuplicate = Literal["reinforce", "save", "refuse"]
_StatusWord = Literal["active", "promoted", "archived"]
Status = Annotated[_StatusWord | Annotated[list[_StatusWord], Field(max_length=5)], Field(), _Labels]
Target = Literal["obsidian"]
Confirm = Annotated[bool, Field(strict=True, description="the user agreed to change more than ten notes"), _Said]
AllowSecret = Annotated[bool, Field(strict=True, description="the user insists on keeping a secret"), _Said]
Etag = Annotated[str, Field(max_length=200, description="from open_memories")]
OperationId = Annotated[str, Field(max_length=200)]
RelationWord = Literal[
    "related",
    "causes",
    "supports",
    "contradicts",
    "has_decision",
    "consolidated_from",
    "supersedes",
    "split_from",
    "both_true",
]
RelationStrength = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False), _Said]
Metadata = Annotated[dict[str, object], Field()]

Message = Annotated[str, Field(max_length=MAX_CONTENT, description="what the user wrote")]
Strategy = Annotated[
    Literal["similarity", "duplicates", "tag", "entity"], Field(description="what makes memories belong together")
]
Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False), _Said]
ClusterSize = Annotated[int, Field(strict=True, ge=1, le=100), _Whole]
ClusterId = Annotated[str, Field(max_length=100, description="from cluster_memories")]
MergedContent = Annotated[
    str, Field(max_length=MAX_CONTENT, description="the text of the merged memory, if you write it")
]
Consolidating = Annotated[
    Literal["preview", "apply", "link"], Field(description="apply merges; link relates instead of merging")
]
GraphStatus = Literal["active", "promoted", "archived", "all"]
Depth = Annotated[int, Field(strict=True, ge=1, le=4, description="steps from memory_id"), _Whole]
Days = Annotated[float, Field(strict=True, gt=0, le=36_500, allow_inf_nan=False), _Said]
ModelName = Annotated[str, Field(max_length=1_000)]
