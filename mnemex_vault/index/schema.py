"""The Whoosh schema: one list of weighted terms a note, its tags, and two columns of what is known of each note."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whoosh.codec.whoosh3 import W3Codec
from whoosh.columns import VarBytesColumn
from whoosh.fields import COLUMN, FieldType, Schema
from whoosh.formats import Format

# a new number whenever analysis, schema or layout change: an index of another version is left alone
SCHEMA_VERSION = 2

_BLOCK = 1024

TEXT = "text"
TAGS = "tags"
NOTE = "note"
SEQUENCE = "sequence"


class Weights(Format):  # type: ignore[misc]
    """A posting is a document and a weight: no positions, so that long lists are read quickly."""

    posting_size = 0

    def word_values(
        self, value: Sequence[tuple[str, float]], _analyzer: object, **_: object
    ) -> Iterator[tuple[str, int, float, bytes]]:
        """Yield the postings of one document from terms that are weighted already."""
        return ((term, 1, weight, b"") for term, weight in value)

    def decode_weight(self, _valuestring: bytes) -> float:
        """Return the weight of a posting that carries none of its own."""
        return 1.0


class WeightedTerms(FieldType):  # type: ignore[misc]
    """A field that takes `(term, weight)` pairs; analysis happens before."""

    __inittypes__: dict[str, type] = {}  # noqa: RUF012  Whoosh reads it from the class

    def __init__(self) -> None:
        super().__init__(format=Weights(), analyzer=None)


def make_codec() -> W3Codec:
    """Return how segments are written: long blocks, read as a whole, and no lengths of fields, which are ours."""
    codec = W3Codec(blocklimit=_BLOCK)
    codec.length_stats = False
    return codec


def make_schema() -> Schema:
    """Return the schema; the columns hold bytes."""
    return Schema(
        **{
            TEXT: WeightedTerms(),
            TAGS: WeightedTerms(),
            NOTE: COLUMN(VarBytesColumn()),
            SEQUENCE: COLUMN(VarBytesColumn()),
        }
    )
