"""The Whoosh schema: one list of weighted terms a note, its tags, and two columns of what is known of each note."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from struct import Struct

from whoosh.codec.whoosh3 import W3Codec
from whoosh.columns import VarBytesColumn
from whoosh.fields import COLUMN, FieldType, Schema
from whoosh.formats import Format

# a new number whenever analysis, schema or layout change: an index of another version is left alone
SCHEMA_VERSION = 4

_BLOCK = 1024

PLACES = Struct("<Q")

TEXT = "text"
TAGS = "tags"
NOTE = "note"
SEQUENCE = "sequence"


class Weights(Format):  # type: ignore[misc]
    """A posting is a document and a weight, so that long lists are read quickly."""

    posting_size = 0

    def word_values(
        self, value: Sequence[tuple[str, float, bytes]], _analyzer: object, **_: object
    ) -> Iterator[tuple[str, int, float, bytes]]:
        """Yield the postings of one document from terms that are weighted already."""
        return ((term, 1, weight, places) for term, weight, places in value)

    def decode_weight(self, _valuestring: bytes) -> float:
        """Return the weight of a posting that carries none of its own."""
        return 1.0


class Places(Weights):
    """A posting has besides the places of the term in the document, a bit for each stretch."""

    posting_size = PLACES.size


class WeightedTerms(FieldType):  # type: ignore[misc]
    """A field that takes `(term, weight, places)`; analysis happens before."""

    __inittypes__: dict[str, type] = {}  # noqa: RUF012  Whoosh reads it from the class

    def __init__(self, posting: Weights) -> None:
        super().__init__(format=posting, analyzer=None)


def make_codec() -> W3Codec:
    """Return how segments are written: long blocks, read as a whole, and no lengths of fields, which are ours."""
    codec = W3Codec(blocklimit=_BLOCK)
    codec.length_stats = False
    return codec


def make_schema() -> Schema:
    """Return the schema; the columns hold bytes."""
    return Schema(
        **{
            TEXT: WeightedTerms(Places()),
            TAGS: WeightedTerms(Weights()),
            NOTE: COLUMN(VarBytesColumn()),
            SEQUENCE: COLUMN(VarBytesColumn()),
        }
    )
