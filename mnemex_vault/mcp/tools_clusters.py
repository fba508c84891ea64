"""Tools that find memories which belong together."""

from __future__ import annotations

from typing import Annotated

from mcp.types import CallToolResult

from mnemex_vault.domain.clusters import Limits, Strategy
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp import texts_full
from mnemex_vault.mcp.answers import answer
from mnemex_vault.mcp.calls import Calls
from mnemex_vault.mcp.consolidating import Consolidating, Wanted, consolidated_notes
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.present_clusters import clustered_notes, clusters_view, duplicates_view
from mnemex_vault.mcp.tool import Spec
from mnemex_vault.mcp.views_clusters import ClusteredMemories, Consolidated


class ClusterTools:
    """Cluster and consolidate."""

    def __init__(self, opening: Opening, calls: Calls) -> None:
        self._opening = opening
        self._calls = calls

    def specs(self) -> list[Spec]:
        """Return the tools in the order in which they are listed."""
        return [
            Spec(
                answer=self.cluster_memories,
                description=texts_full.CLUSTER_MEMORIES,
                title="Find memories that belong together",
                idempotent=True,
                core=False,
            ),
            Spec(
                answer=self.consolidate_memories,
                description=texts_full.CONSOLIDATE_MEMORIES,
                title="Merge or link memories",
                destructive=True,
                core=False,
            ),
        ]

    def cluster_memories(
        self,
        strategy: take.Strategy = "similarity",
        threshold: take.Share | None = None,
        max_cluster_size: take.ClusterSize | None = None,
        find_duplicates: take.Switch = False,
        duplicate_threshold: take.Share | None = None,
    ) -> Annotated[CallToolResult, ClusteredMemories]:
        """Find clusters or near duplicates."""
        app = self._opening.complete_app()
        if find_duplicates or strategy == "duplicates":
            least = app.settings.semantic_hi if duplicate_threshold is None else duplicate_threshold
            view = duplicates_view(app.store, app.consolidation.duplicates(threshold=least))
            return answer(view, view.message, clustered_notes(view))
        size = app.settings.cluster_max_size if max_cluster_size is None else max_cluster_size
        limits = Limits(
            threshold=app.settings.cluster_link_threshold if threshold is None else threshold, max_size=max(2, size)
        )
        chosen = Strategy(strategy)
        clusters = [] if size < limits.min_size else app.consolidation.clusters(chosen, limits)
        view = clusters_view(app.store, clusters, chosen, limits)
        return answer(view, view.message, clustered_notes(view))

    def consolidate_memories(
        self,
        cluster_id: take.ClusterId | None = None,
        mode: take.Consolidating = "preview",
        auto_detect: take.Switch = False,
        cohesion_threshold: take.Share = 0.75,
        merged_content: take.MergedContent | None = None,
        confirm: take.Confirm = False,
    ) -> Annotated[CallToolResult, Consolidated]:
        """Preview, merge or link one cluster, or all coherent ones."""
        app = self._opening.complete_app()
        wanted = Wanted(cluster_id, auto_detect=auto_detect, threshold=cohesion_threshold, content=merged_content)
        work = Consolidating(app, wanted, self._calls, confirm=confirm)
        view = {"preview": work.preview, "apply": work.merge, "link": work.link}[mode]()
        return answer(view, view.message, consolidated_notes(view))
