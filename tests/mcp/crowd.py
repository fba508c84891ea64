"""A vault that makes answers long: very long titles, paths, texts, many tags, entities, relations, twins, problems."""

from __future__ import annotations

from pathlib import Path

FOLDER = "Memories/Short-term/" + "/".join(
    f"{word} of a very deep shelf" for word in ("alpha", "beta", "gamma", "delta")
)
MOST_TAGS, MOST_ENTITIES, LABEL = 50, 100, 100
LONG = 40_000
GROUP = 12
TWINS = 5 * GROUP
LONG_ONES = 20
QUALIFIED = 2 * GROUP


def long_label(word: str, number: int) -> str:
    return f"{word}{number:03}-".ljust(LABEL, "x")


def memory_id(number: int) -> str:
    return f"m{number:09d}"


def title(number: int) -> str:
    return f"Lantern {number:03} " + "that hangs in the hall of the old observatory " * 4


def note(number: int, *, related: list[str], faded: bool = False, used: int = 1, text: str = "") -> str:
    when = "2021-01-05T10:00:00" if faded else "2026-11-29T10:00:00"
    lines = ["---", "tags:"]
    lines += [f"  - {long_label('tag', each)}" for each in range(MOST_TAGS)]
    lines += ["aliases:", f'  - "{(title(number) * 3)[:500]}"']
    lines += ["entities:", *(f"  - {long_label('Entity', each)}" for each in range(MOST_ENTITIES))]
    lines += [*(["related:"] if related else []), *(f'  - "[[{name}]]"' for name in related)]
    lines += [f"source: {'s' * 500}", f"context: {'c' * 1_000}", "origin: ai", "pinned: false"]
    lines += [f"created: {when}", f"last_used: {when}", f"use_count: {used}", f"days_used: {min(used, 5)}"]
    lines += ["strength: 1.0", f"session: {'talk ' * 90}", f"memory_id: {memory_id(number)}", "---"]
    return "\n".join(lines) + f"\n{text or 'The lantern burns.'}\n"


def stem(number: int) -> str:
    return title(number).strip()[:200].strip()


def fill(root: Path, *, twins: int = TWINS, long: int = LONG_ONES, broken: int = 20) -> None:
    """Write groups of twelve twins and long texts; some have faded, some qualify for promotion, the first knows all."""
    folder = root / FOLDER
    folder.mkdir(parents=True)
    count = twins + long
    for number in range(count):
        related = [stem(each) for each in range(1, count)] if number == 0 else [stem((number + 1) % count)]
        same = " ".join(f"word{number // GROUP}x{each}" for each in range(300))
        text = f"{same} lantern end{number}." if number < twins else f"Lantern number {number}. " * (LONG // 20)
        made = note(number, related=related, faded=number >= QUALIFIED, used=20 if number < QUALIFIED else 1, text=text)
        (folder / f"{stem(number)}.md").write_text(made, encoding="utf-8")
    for number in range(broken):
        text = f"---\n: [{'x' * 200}\n\t- {number}\n---\nLantern, broken.\n"
        (folder / f"{'Broken ' * 25}{number}.md").write_text(text, encoding="utf-8")
