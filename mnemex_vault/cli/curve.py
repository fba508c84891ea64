"""The fading of a memory as a drawing of characters: from now until it is forgotten."""

from __future__ import annotations

from collections.abc import Callable, Sequence

_BLOCKS = " ▁▂▃▄▅▆▇█"
_ROWS = 4


def draw(values: Sequence[float], *, top: float, rows: int = _ROWS) -> list[str]:
    """Return lines of blocks, the highest value at the top; values lie between 0 and `top`.

    >>> draw([1.0, 0.5, 0.0], top=1.0, rows=2)
    ['█  ', '██ ']
    """
    steps = rows * (len(_BLOCKS) - 1)
    heights = [max(0, min(steps, round(value / top * steps))) if top > 0 else 0 for value in values]
    full = len(_BLOCKS) - 1
    return [
        "".join(_BLOCKS[max(0, min(full, height - full * row))] for height in heights) for row in reversed(range(rows))
    ]


def curve_lines(score_in: Callable[[float], float], *, days: float, threshold: float, width: int) -> list[str]:
    """Return the drawing with its scale: the score on the left, days below, the line of forgetting marked.

    >>> lines = curve_lines(lambda day: 1 / (1 + day), days=10, threshold=0.2, width=20)
    >>> lines[-1]
    '      now       in 10 days'
    >>> lines[0].split()[0]
    '1.00'
    """
    columns = max(10, width)
    values = [score_in(days * column / (columns - 1)) for column in range(columns)]
    top = max(values)
    drawn = draw(values, top=top)
    scale = [f"{top:5.2f}", *["     "] * (len(drawn) - 2), f"{0:5.2f}"]
    lines = [f"{label} {line.rstrip()}" for label, line in zip(scale, drawn, strict=True)]
    last = f"in {int(days)} days"
    below = f"      now{last:>{columns - 3}}"
    note = f"      forgotten below {threshold:.2f}" if threshold else ""
    return [*lines, *([note] if note else []), below]
