"""What tools take: types with their limits, strict, so that a wrong type is refused before anything happens."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from mnemex_vault.domain.memory import MAX_CONTENT
from mnemex_vault.memories.draft import MAX_CONTEXT, MAX_ENTITIES, MAX_LABEL, MAX_SOURCE, MAX_TAGS, MAX_TITLE

MAX_IDS = 100
# a note id holds a path, which has at most 4096 bytes
_MAX_ID = 4_200
_MAX_USED = 10

Switch = Annotated[bool, Field(strict=True)]
_Id = Annotated[str, StringConstraints(min_length=1, max_length=_MAX_ID)]
_Label = Annotated[str, StringConstraints(max_length=MAX_LABEL)]

Content = Annotated[str, Field(max_length=MAX_CONTENT)]
Query = Annotated[str, Field(max_length=MAX_CONTENT)]
Title = Annotated[str, Field(max_length=MAX_TITLE)]
Source = Annotated[str, Field(max_length=MAX_SOURCE)]
Context = Annotated[str, Field(max_length=MAX_CONTEXT)]
Project = Annotated[str, Field(max_length=MAX_LABEL)]
Session = Annotated[str, Field(max_length=MAX_SOURCE, description="a few words naming this conversation")]
Reason = Annotated[str, Field(max_length=MAX_SOURCE)]
Folder = Annotated[str, Field(max_length=1_000, description="a long-term folder of the vault")]
Meta = Annotated[dict[str, object], Field(description="kept as text in context")]

Tags = Annotated[list[_Label], Field(max_length=MAX_TAGS)]
Entities = Annotated[
    list[_Label], Field(max_length=MAX_ENTITIES, description="people, projects, technologies named in it")
]
MemoryId = Annotated[str, Field(min_length=1, max_length=_MAX_ID)]
MemoryIds = Annotated[list[_Id], Field(max_length=MAX_IDS)]
OneOrMoreIds = Annotated[_Id | MemoryIds, Field()]
Supersedes = Annotated[list[_Id], Field(max_length=_MAX_USED, description="ids of memories that this one replaces")]
UsedIds = Annotated[
    list[_Id], Field(max_length=_MAX_USED, description="earlier results you relied on; strengthens them")
]

Strength = Annotated[
    float,
    Field(
        strict=True, ge=0, le=2, allow_inf_nan=False, description="0.5 tentative, 1 normal, 1.5 important, 2 critical"
    ),
]
HalfLife = Annotated[float, Field(strict=True, gt=0, le=36_500, allow_inf_nan=False)]
Weight = Annotated[float, Field(strict=True, ge=0, le=2, allow_inf_nan=False)]
MinScore = Annotated[float, Field(strict=True, ge=0, le=1_000, allow_inf_nan=False)]
WindowDays = Annotated[int, Field(strict=True, ge=1, le=3_650, description="used within so many days")]
TopK = Annotated[int, Field(strict=True, ge=1, le=100)]
PageNumber = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]
PageSize = Annotated[int, Field(strict=True, ge=1, le=100)]
PreviewLength = Annotated[int, Field(strict=True, ge=0, le=5_000, description="0 gives the whole text")]
Limit = Annotated[int, Field(strict=True, ge=1, le=10_000)]

Origin = Annotated[Literal["user", "ai", "web"], Field(description="who says so: web for text from the internet")]
OnDuplicate = Literal["reinforce", "save", "refuse"]
_StatusWord = Literal["active", "promoted", "archived"]
Status = Annotated[_StatusWord | Annotated[list[_StatusWord], Field(max_length=5)], Field()]
Target = Literal["obsidian"]
Confirm = Annotated[bool, Field(strict=True, description="the user agreed to change more than ten notes")]
AllowSecret = Annotated[bool, Field(strict=True, description="the user insists on keeping a secret in a note")]
Etag = Annotated[str, Field(max_length=200, description="from open_memories")]
OperationId = Annotated[str, Field(max_length=200)]
RelationWord = Literal[
    "related", "causes", "supports", "contradicts", "has_decision", "consolidated_from", "supersedes", "split_from"
]
RelationStrength = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
Metadata = Annotated[dict[str, object], Field()]

Message = Annotated[str, Field(max_length=MAX_CONTENT, description="what the user wrote")]
Strategy = Annotated[
    Literal["similarity", "duplicates", "tag", "entity"], Field(description="what makes memories belong together")
]
Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
ClusterSize = Annotated[int, Field(strict=True, ge=1, le=100)]
ClusterId = Annotated[str, Field(max_length=100, description="from cluster_memories")]
MergedContent = Annotated[
    str, Field(max_length=MAX_CONTENT, description="the text of the merged memory, if you write it")
]
Consolidating = Annotated[
    Literal["preview", "apply", "link"], Field(description="apply merges; link relates instead of merging")
]
GraphStatus = Literal["active", "promoted", "archived", "all"]
Depth = Annotated[int, Field(strict=True, ge=1, le=4, description="steps from memory_id")]
Days = Annotated[float, Field(strict=True, gt=0, le=36_500, allow_inf_nan=False)]
ModelName = Annotated[str, Field(max_length=1_000)]
