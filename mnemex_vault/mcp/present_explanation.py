"""Why each result of a search stands where it does, and what decay, tier, archive or succession held back."""

from __future__ import annotations

from mnemex_vault.app import App
from mnemex_vault.index.ranking import Hit
from mnemex_vault.mcp.budget import fitting, title_of
from mnemex_vault.mcp.facts import origin_of
from mnemex_vault.mcp.views_search import Explanation, HeldBackNote, MatchedTerm
from mnemex_vault.memories.explaining import Why
from mnemex_vault.memories.recall import Page

_DIGITS = 4
# what the notes that are held back may take together, in characters
HELD_BACK = 2_000


def explanation(app: App, hit: Hit, page: Page) -> Explanation:
    """Return what the rank of a hit is the product of, and its relevance the sum of."""
    view = Explanation(
        relevance=hit.relevance,
        decay_factor=hit.decay_factor,
        tier_weight=hit.tier_weight,
        project_bonus=hit.project_bonus,
    )
    why = page.reasons.get(hit.entry.path)
    return view.model_copy(update=_reasons(app, why)) if why else view


def _reasons(app: App, why: Why) -> dict[str, object]:
    source = app.store.catalog.get(why.inherited_from) if why.inherited_from else None
    reasons: dict[str, object] = {
        "text": round(why.text, _DIGITS),
        "talk": round(why.talk, _DIGITS),
        "meaning": round(why.meaning, _DIGITS),
        "terms": [
            MatchedTerm(term=term.term, fields=list(term.fields), share=round(term.share, _DIGITS))
            for term in why.terms
        ],
    }
    return reasons | ({"inherited_from": source.item_id} if source else {})


def held_back(app: App, page: Page) -> list[HeldBackNote]:
    """Return the notes that would be on the page if words alone decided, as many as there is room for."""
    views = []
    for each in page.held_back:
        view = HeldBackNote(
            id=each.entry.item_id,
            title=title_of(each.entry.title),
            origin=origin_of(each.entry),
            reason=each.reason.value,
            relevance=round(each.relevance, _DIGITS),
        )
        by = app.store.catalog.get(each.by) if each.by else None
        views.append(view.model_copy(update={"superseded_by": by.item_id}) if by else view)
    return fitting(views, HELD_BACK)
