"""Why a hit is where it is, and what would be on the page if words alone decided."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from mnemex_vault.cli.console import Faint
from mnemex_vault.cli.safe_text import one_line

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.index.asking import Fit
    from mnemex_vault.index.ranking import HeldBack, Hit
    from mnemex_vault.memories.recall import Page

# so many words of a question are named as lacking
_WORDS = 6
_REASONS = {
    "archived": "archived (--archived)",
    "superseded": "replaced (--superseded)",
    "filtered": "left out by a filter",
    "decay": "faded",
    "tier": "weight of its tier",
}


def explanation_lines(app: App, hit: Hit, page: Page, *, indent: str) -> list[str]:
    """Return what the rank of a hit is the product of, and its relevance the sum of."""
    from mnemex_vault.memories.recall import in_words

    score = "" if hit.score is None else f", score {hit.score:.3f}"
    lines: list[str] = [
        f"{indent}rank {hit.rank:.3f} = words {hit.relevance:.3f} x decay {hit.decay_factor:.3f}"
        f" x tier {hit.tier_weight:g} x project {hit.project_bonus:g}{score}"
    ]
    why = page.reasons.get(hit.entry.path)
    if why is not None:
        lines.append(f"{indent}words {hit.relevance:.3f} = {in_words(why)}")
        outdated = app.store.catalog.get(why.inherited_from) if why.inherited_from else None
        if outdated is not None:
            lines.append(f"{indent}found by the words of what it replaces: {one_line(outdated.title)}")
    return [Faint(line) for line in lines]


def explanation_facts(hit: Hit, page: Page) -> dict[str, object]:
    """Return the same as JSON has it; nothing if no reasons were asked for."""
    why = page.reasons.get(hit.entry.path)
    if why is None:
        return {}
    factors = {
        "decay_factor": hit.decay_factor,
        "tier_weight": hit.tier_weight,
        "project_bonus": hit.project_bonus,
    }
    return {"explanation": factors | asdict(why)}


def fitting(fit: Fit) -> str:
    """Return how well a hit fits, and what it lacks.

    >>> from mnemex_vault.index.asking import Fit
    >>> fitting(Fit(has=("penicillin",), lacks=("Anna",), share=0.5, chance=0.9))
    'partly, lacks Anna'
    """
    lacks = ", ".join(fit.lacks[:_WORDS])
    return one_line(f"{fit.fitting.value}, lacks {lacks}" if lacks else fit.fitting.value)


def fit_facts(fit: Fit | None) -> dict[str, object]:
    """Return the same as JSON has it; nothing if no words were asked for."""
    if fit is None:
        return {}
    return {"fit": fit.fitting.value, "has": fit.has, "lacks": fit.lacks, "chance": round(fit.chance, 3)}


def beside_lines(page: Page) -> list[str]:
    """Return what stands beside the best hits in their conversations, under a heading."""
    if not page.beside:
        return []
    return ["From the same conversation:", *(Faint(f"   {one_line(each.title)}") for each in page.beside), ""]


def held_back_lines(app: App, page: Page) -> list[str]:
    """Return one line for each note that was held back, under a heading."""
    if not page.held_back:
        return []
    return ["Held back, though the words fit:", *(_line(app, each) for each in page.held_back), ""]


def _line(app: App, held: HeldBack) -> str:
    by = app.store.catalog.get(held.by) if held.by else None
    successor = f" by {one_line(by.title)}" if by is not None else ""
    title = one_line(held.entry.title)
    return Faint(f"   {title}: {_REASONS[held.reason.value]}{successor}, words {held.relevance:.3f}")


def held_back_facts(page: Page) -> list[dict[str, object]]:
    """Return the same as JSON has it."""
    return [
        {"path": held.entry.path, "reason": held.reason.value, "relevance": round(held.relevance, 4), "by": held.by}
        for held in page.held_back
    ]
