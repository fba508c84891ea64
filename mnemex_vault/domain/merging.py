"""What a merged memory is made of: every distinct sentence once, and no fact of one taken for a fact of another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from mnemex_vault.domain.memory import MAX_STRENGTH, Memory, Relation, Tier, Usage
from mnemex_vault.domain.memory import Kind as MemoryKind
from mnemex_vault.domain.similarity import normalised, token_list
from mnemex_vault.language.sentences import Block, Kind, blocks, plain_text, sentences, split_sentences
from mnemex_vault.language.titles import title_of
from mnemex_vault.language.words import word_set

# Words that turn a statement into another one.

NEGATIONS = word_set(
    """
    cannot neither never no nobody none nor not nothing nowhere without
    nicht kein keine keinen keinem keiner nie niemals ohne ne pas jamais rien sans aucun
    nunca ninguno ninguna nada sin non mai niente senza não nem sem не нет никогда без
    """
)

OPPOSITES = word_set(
    """
    after against agree allow allowed always before below above cheap decrease deprecated disable disabled disagree
    dislike dislikes down enable enabled end excludes expensive fail failed false fast first forbid forbidden former
    hate hates high includes increase last left less like likes love loves low max maximum min minimum more off old on
    open closed optional passed prod production public private required right rarely slow staging start stop stopped
    true up wrong
    """
)

DATE_WORDS = word_set(
    """
    january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays today tomorrow yesterday tonight morning noon afternoon evening midnight spring summer
    autumn fall winter januar februar märz juni juli oktober dezember montag dienstag mittwoch donnerstag freitag
    samstag sonntag janvier février mars avril mai juin juillet août septembre octobre novembre décembre lundi mardi
    mercredi jeudi vendredi samedi dimanche
    """
)

NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
} | {"first": "1", "second": "2", "third": "3", "twice": "2", "once": "1", "dozen": "12", "hundred": "100"}


# Facts that similar texts must share before they may be taken for the same: numbers, dates, negations, word order.

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CJK_NEGATION = re.compile(r"不|没|沒|无|無|非|未|ない|ません|なかった|ず(?=に)|않|없|못")
_MARKUP = re.compile(r"[*_`\[\]<>#~=\\%]")
_MARKS = ".,;:!?…。！？ \t*_\"'()"


def sentence_key(sentence: str) -> str:
    """Return what two wordings of the same sentence have in common.

    >>> sentence_key("I **like** tea!") == sentence_key("i like  tea.")
    True
    """
    plain = plain_text(sentence) if _MARKUP.search(sentence) else sentence
    return normalised(plain).strip(_MARKS)


def differs_in_facts(texts: Sequence[str]) -> tuple[str, ...]:
    """Return why these texts must not be merged without a person; empty if nothing speaks against it.

    Sentences that two texts share are left out of the comparison, and a text that only adds sentences contradicts none.

    >>> differs_in_facts(["The office is on floor 3", "The office is on floor 4"])
    ('they differ in a number: 3 / 4',)
    """
    reasons: list[str] = []
    for one, other in combinations(dict.fromkeys(texts), 2):
        reasons += _differences(*_unshared(one, other))
    return tuple(dict.fromkeys(reasons))


def _unshared(one: str, other: str) -> tuple[str, str]:
    said = [{sentence_key(sentence): sentence for sentence in sentences(text)} for text in (one, other)]
    here = [sentence for key, sentence in said[0].items() if key not in said[1]]
    there = [sentence for key, sentence in said[1].items() if key not in said[0]]
    return " \n".join(here), " \n".join(there)


def _differences(one: str, other: str) -> list[str]:
    if not one or not other:
        return []
    kinds: list[tuple[str, Callable[[str], Iterable[str]]]] = [
        ("a number", _numbers),
        ("a date", lambda text: (word for word in token_list(text) if word in DATE_WORDS)),
        ("a negation", _negations),
        ("an opposite", lambda text: (word for word in token_list(text) if word in OPPOSITES)),
    ]
    found = []
    for name, facts_of in kinds:
        here, there = sorted(facts_of(one)), sorted(facts_of(other))
        if here != there:
            found.append(f"they differ in {name}: {_shown(here)} / {_shown(there)}")
    if not found and _reordered(token_list(one), token_list(other)):
        found.append("they say the same words in another order")
    return found


def _shown(facts: list[str]) -> str:
    return ", ".join(facts) or "none"


def _numbers(text: str) -> Iterable[str]:
    digits = set(_NUMBER.findall(_THOUSANDS.sub("", normalised(text))))
    spelled = {NUMBER_WORDS[word] for word in token_list(text) if word in NUMBER_WORDS}
    return digits | spelled


def _negations(text: str) -> list[str]:
    """Every negation as the same word: "don't" and "do not" say the same."""
    words = [word for word in token_list(text) if word in NEGATIONS or word.replace("’", "'").endswith("n't")]
    return ["not"] * (len(words) + len(_CJK_NEGATION.findall(text)))


def _reordered(one: list[str], other: list[str]) -> bool:
    here, there = Counter(one), Counter(other)
    common = {word for word in here if here[word] == there[word] == 1}
    return [word for word in one if word in common] != [word for word in other if word in common]


# Several texts as one that says every distinct sentence once.

_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
# tables, nested or indented lines and HTML lose their sense when lines are taken out
_STRUCTURED = re.compile(r"^(?:\s*\||[ \t]+\S|\s*<|\s{0,3}(?:`{3}|~{3})|\s*(?:-{3,}|={3,})\s*$)", re.M)
_POINTING = word_set("he him his she her hers it its they them their theirs this that these those there then")
_WORD = re.compile(r"[^\W\d_]+")


def merged_text(texts: Iterable[str]) -> str:
    r"""Return the texts in order, each sentence, list item and code block only where it is first said.

    A sentence that leans on the one before it ("She likes it"), on a heading or on an introduction ending in a colon
    counts as the same only where these are the same too.

    >>> merged_text(["Anna likes tea. Ben rides.", "anna likes tea! Cleo sings."])
    'Anna likes tea. Ben rides.\n\nCleo sings.'
    """
    seen: set[tuple[str, ...]] = set()
    kept: list[str] = []
    for text in texts:
        kept += _new_paragraphs(text, seen)
    return "\n\n".join(kept)


class _Outline:
    """The headings above a place in a text; each is told when something new below it is, or when it is new itself."""

    def __init__(self, seen: set[tuple[str, ...]]) -> None:
        self._seen = seen
        self._path: list[Block] = []
        self._told = 0

    @property
    def keys(self) -> tuple[str, ...]:
        return ("#", *(sentence_key(block.text) for block in self._path))

    def enter(self, heading: Block) -> list[str]:
        """Go below another heading; return the lines of the one left, if they were never told."""
        lines = self.leave()
        while self._path and self._path[-1].level >= heading.level:
            self._path.pop()
        self._told = min(self._told, len(self._path))
        self._path.append(heading)
        return lines

    def leave(self) -> list[str]:
        return self.tell() if self._told < len(self._path) and self.keys not in self._seen else []

    def tell(self) -> list[str]:
        lines = [block.raw for block in self._path[self._told :]]
        self._told = len(self._path)
        self._seen.add(self.keys)
        return lines


def _new_paragraphs(text: str, seen: set[tuple[str, ...]]) -> Iterator[str]:
    outline = _Outline(seen)
    for paragraph in _paragraphs(text):
        first = next(blocks(paragraph), None)
        if first is not None and first.kind is Kind.HEADING:
            yield from outline.enter(first)
            continue
        new = _new_part(paragraph, outline.keys, seen)
        if new:
            yield from outline.tell()
            yield new
    yield from outline.leave()


def _paragraphs(text: str) -> Iterator[str]:
    """Parts between blank lines, each heading a part of its own; a code block is never divided."""
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark[1]
        heading = not fence and _HEADING.match(line)
        if lines and (heading or not (line.strip() or fence)):
            yield "\n".join(lines)
            lines = []
        if heading:
            yield line
        elif line.strip() or fence:
            lines.append(line)
    if lines:
        yield "\n".join(lines)


def _new_part(paragraph: str, headings: tuple[str, ...], seen: set[tuple[str, ...]]) -> str:
    if _STRUCTURED.search(paragraph):
        return paragraph if _is_new((*headings, paragraph), seen) else ""
    kept = []
    introduction = ""
    for block in blocks(paragraph):
        new = _new_block(block, (*headings, introduction if block.kind is Kind.ITEM else ""), seen)
        if new:
            kept.append(new)
        if block.kind is not Kind.ITEM:
            introduction = sentence_key(block.text) if block.text.endswith((":", "：")) else ""
    return "\n".join(kept)


def _new_block(block: Block, context: tuple[str, ...], seen: set[tuple[str, ...]]) -> str:
    said = split_sentences(block.text)
    new = []
    before = ""
    for sentence in said:
        key = sentence_key(sentence)
        leans_on = before if _POINTING & {word.lower() for word in _WORD.findall(sentence)} else ""
        if not key or _is_new((*context, leans_on, key), seen):
            new.append(sentence)
        before = key
    if len(new) == len(said):
        return block.raw
    marker = block.raw[: block.raw.find(block.text[:1])] if block.kind is Kind.ITEM else ""
    return marker + " ".join(new) if new else ""


def _is_new(key: tuple[str, ...], seen: set[tuple[str, ...]]) -> bool:
    if key in seen:
        return False
    seen.add(key)
    return True


# What a merged memory is made of.

_BOOST_PER_MEMBER = 0.1
_MOST_BOOST = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the caller decides about a merged memory; without content every distinct sentence is kept once."""

    content: str | None = None
    title: str | None = None


def merged(memories: Sequence[Memory], *, new_id: str, cohesion: float, choices: Choices | None = None) -> Memory:
    """Return the memory that stands for all of them, oldest first; raises ValueError on fewer than two."""
    if len(memories) < 2:
        raise ValueError("a merge needs at least two memories")
    chosen = choices or Choices()
    parts = sorted(memories, key=lambda memory: (memory.usage.created, memory.id))
    content = merged_text(part.content for part in parts) if chosen.content is None else chosen.content
    return Memory(
        id=new_id,
        title=chosen.title or title_of(content),
        content=content,
        usage=merged_usage([part.usage for part in parts], cohesion=cohesion),
        tier=Tier.LONG_TERM if any(part.tier is Tier.LONG_TERM for part in parts) else Tier.SHORT_TERM,
        tags=_union(part.tags for part in parts),
        aliases=_union(part.aliases for part in parts),
        entities=_union(part.entities for part in parts),
        relations=merged_relations(parts),
        project=_only({part.project for part in parts}),
        source=_joined(part.source for part in parts),
        context=_joined(part.context for part in parts),
        origin=_origin({part.origin for part in parts}),
    )


def merged_usage(usages: Sequence[Usage], *, cohesion: float | None = None) -> Usage:
    """Return the uses of several memories, or of one on several devices, as those of one.

    The save of each counts only once; with a cohesion the whole is stronger than its strongest part.
    """
    return Usage(
        created=min(usage.created for usage in usages),
        last_used=max(usage.last_used for usage in usages),
        use_count=1 + sum(usage.use_count - 1 for usage in usages),
        days_used=max(usage.days_used for usage in usages),
        strength=_strength(usages, cohesion),
        pinned=any(usage.pinned for usage in usages),
        half_life_days=max((usage.half_life_days for usage in usages if usage.half_life_days), default=None),
        promoted=max((usage.promoted for usage in usages if usage.promoted), default=None),
        review_count=sum(usage.review_count for usage in usages),
        last_review=max((usage.last_review for usage in usages if usage.last_review), default=None),
        cross_domain_count=sum(usage.cross_domain_count for usage in usages),
        kind=_kind({usage.kind for usage in usages}),
    )


def _kind(kinds: set[MemoryKind | None]) -> MemoryKind | None:
    """What is costly to miss stays so, whatever else the whole may be."""
    return next(
        (
            kind
            for kind in (MemoryKind.SAFETY, MemoryKind.RULE, MemoryKind.IDENTITY, MemoryKind.PREFERENCE)
            if kind in kinds
        ),
        None,
    )


def merged_relations(memories: Sequence[Memory]) -> tuple[Relation, ...]:
    """Return all outgoing relations once, the strongest of equal ones, without those among the memories themselves."""
    own = {normalised(name) for memory in memories for name in (memory.title, *memory.aliases)}
    kept: dict[tuple[str, str], Relation] = {}
    for memory in memories:
        for relation in memory.relations:
            key = (relation.type, normalised(relation.target))
            known = kept.get(key)
            if key[1] not in own and (known is None or relation.strength > known.strength):
                kept[key] = relation
    return tuple(kept.values())


def _strength(usages: Sequence[Usage], cohesion: float | None) -> float:
    strongest = max(usage.strength for usage in usages)
    if cohesion is None:
        return strongest
    return min(MAX_STRENGTH, strongest + min(cohesion * len(usages) * _BOOST_PER_MEMBER, _MOST_BOOST))


def _union(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Every value once, in the spelling that came first."""
    kept: dict[str, str] = {}
    for values in lists:
        for value in values:
            kept.setdefault(normalised(value), value)
    return tuple(kept.values())


def _joined(values: Iterable[str | None]) -> str | None:
    return "; ".join(dict.fromkeys(value for value in values if value)) or None


def _only(values: set[str | None]) -> str | None:
    return next(iter(values)) if len(values) == 1 else None


def _origin(origins: set[str | None]) -> str | None:
    """The least trusted of them: what came from the web stays web, what an assistant wrote stays its."""
    return next((origin for origin in ("web", "import", "ai") if origin in origins), _only(origins))
