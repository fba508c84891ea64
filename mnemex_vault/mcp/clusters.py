"""Tools that find memories which belong together, and bring them together."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mnemex_vault.answers import clusters as answers
from mnemex_vault.answers.clusters import ClusteredMemories, Consolidated, MergePreview, consolidated, facts_of
from mnemex_vault.answers.view import AROUND, USUAL, Told, fitting, left_words, within
from mnemex_vault.app import App
from mnemex_vault.domain.clusters import MAX_SIZE, Cluster, Limits, Strategy
from mnemex_vault.errors import InvalidInput, MnemexError
from mnemex_vault.language.words import counted
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp.calls import Calls
from mnemex_vault.mcp.tool import Toolbox, need_confirmation, offered
from mnemex_vault.memories.consolidation import Receipt
from mnemex_vault.memories.face import Entry


class ClusterTools(Toolbox):
    """Cluster and consolidate."""

    @offered(
        "Find memories that belong together",
        "Find short-term memories that belong together: by similarity of text, a shared tag or entity, or "
        "near duplicates. Changes nothing; consolidate_memories takes the cluster ids.",
        idempotent=True,
        core=False,
    )
    def cluster_memories(
        self,
        strategy: take.Strategy = "similarity",
        threshold: take.Share | None = None,
        max_cluster_size: take.ClusterSize | None = None,
        find_duplicates: take.Switch = False,
        duplicate_threshold: take.Share | None = None,
    ) -> Told[ClusteredMemories]:
        """Find clusters or near duplicates."""
        app = self._opening.complete_app()
        if find_duplicates or strategy == "duplicates":
            least = app.settings.semantic_hi if duplicate_threshold is None else duplicate_threshold
            return answers.duplicates(app.memories, app.consolidation.duplicates(threshold=least))
        size = app.settings.cluster_max_size if max_cluster_size is None else max_cluster_size
        limits = Limits(
            threshold=app.settings.cluster_link_threshold if threshold is None else threshold, max_size=max(2, size)
        )
        chosen = Strategy(strategy)
        clusters = [] if size < limits.min_size else app.consolidation.clusters(chosen, limits)
        return answers.clusters(app.memories, clusters, chosen, limits)

    @offered(
        "Merge or link memories",
        "Bring a cluster together, only when the user asks to tidy up. preview first; apply writes one memory"
        " and archives the others, link only relates them. If they contradict each other, ask, then give "
        "merged_content.",
        destructive=True,
        core=False,
    )
    def consolidate_memories(
        self,
        cluster_id: take.ClusterId | None = None,
        mode: take.Consolidating = "preview",
        auto_detect: take.Switch = False,
        cohesion_threshold: take.Share = 0.75,
        merged_content: take.MergedContent | None = None,
        confirm: take.Confirm = False,
    ) -> Told[Consolidated]:
        """Preview, merge or link one cluster, or all coherent ones."""
        app = self._opening.complete_app()
        wanted = Wanted(cluster_id, auto_detect=auto_detect, threshold=cohesion_threshold, content=merged_content)
        work = Consolidating(app, wanted, self._calls, confirm=confirm)
        return {"preview": work.preview, "apply": work.merge, "link": work.link}[mode]()


logger = logging.getLogger(__name__)

_PREVIEWS = 5
# a merged memory is shown whole, of several each only its beginning
_LONGEST = 60_000
_LONGEST_OF_MANY = 1_000
# what is said of the groups that were left as they are, and of each
_SKIPPED = 4_000
_REASON = 200


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which clusters a caller means: one by its id, or all that are coherent enough."""

    cluster_id: str | None
    auto_detect: bool
    threshold: float
    content: str | None


class Consolidating:
    """The three modes of one call. Nothing is changed before all that is asked for was checked."""

    def __init__(self, app: App, wanted: Wanted, calls: Calls, *, confirm: bool) -> None:
        if wanted.cluster_id is None and not wanted.auto_detect:
            raise InvalidInput("cluster_id", "give one from cluster_memories, or auto_detect=true")
        if wanted.content is not None and wanted.cluster_id is None:
            raise InvalidInput("merged_content", "is the text of one cluster; give its cluster_id")
        self._app = app
        self._wanted = wanted
        self._calls = calls
        self._confirm = confirm

    def preview(self) -> Told[Consolidated]:
        """Show what a merge would make."""
        clusters = self._clusters()
        if self._wanted.cluster_id is not None:
            only = self._preview(clusters[0])
            message = f"Nothing was changed; the merged memory is shown.{_asks([only])}"
            return consolidated("preview", message, **facts_of(only))
        shown = fitting((self._preview(cluster) for cluster in clusters[:_PREVIEWS]), USUAL - AROUND)
        first = f"; the first {len(shown)} are shown" if len(shown) < len(clusters) else ""
        return consolidated(
            "auto_detect_preview",
            f"{counted(len(clusters), 'group')} could be merged{first}; nothing was changed.{_asks(shown)}",
            candidates_found=len(clusters),
            showing=len(shown),
            previews=shown,
        )

    def _preview(self, cluster: Cluster) -> MergePreview:
        longest = _LONGEST if self._wanted.cluster_id is not None else _LONGEST_OF_MANY
        preview = self._app.consolidation.preview(cluster, content=self._wanted.content)
        return answers.preview_of(self._app.memories, preview, longest=longest)

    def merge(self) -> Told[Consolidated]:
        """Merge, each cluster as one operation; memories that differ in facts are left to a person."""
        clusters = self._clusters()
        self._need_confirmation(clusters)
        return self._merge_one(clusters[0]) if self._wanted.cluster_id is not None else self._merge_all(clusters)

    def _merge_one(self, cluster: Cluster) -> Told[Consolidated]:
        consolidation = self._app.consolidation
        preview = consolidation.preview(cluster, content=self._wanted.content)
        receipt = consolidation.merge(preview, automatic=True)
        view = answers.receipt_of(receipt)
        merged = counted(len(cluster.members), "memory", "memories")
        message = (
            f"Merged {merged} into [{view.new_memory_id}]; the originals are in the archive. undo takes this back."
            f"{left_words(receipt.left_links)}"
        )
        return consolidated("apply", message, **facts_of(view))

    def _merge_all(self, clusters: Sequence[Cluster]) -> Told[Consolidated]:
        receipts: list[Receipt] = []
        try:
            skipped = dict(self._merge_each(clusters, receipts))
        except BaseException:
            self._take_back(receipts)
            raise
        saved = sum(len(each.cluster.members) - 1 for each in receipts)
        shown = fitting((answers.receipt_of(each) for each in receipts), USUAL - AROUND - _SKIPPED)
        first = f" (the first {len(shown)} are listed)" if len(shown) < len(receipts) else ""
        left = f"; left as they are: {counted(len(skipped), 'group')}" if skipped else ""
        return consolidated(
            "auto_detect_apply",
            f"Merged {counted(len(receipts), 'group')}{first}, {counted(saved, 'memory', 'memories')} fewer{left}. "
            f"undo takes back one after the other.{left_words(_left_in(receipts))}",
            consolidated_clusters=len(receipts),
            total_memories_saved=saved,
            results=shown,
            skipped={each: skipped[each] for each in list(skipped)[: _SKIPPED // _REASON]},
        )

    def _merge_each(self, clusters: Sequence[Cluster], receipts: list[Receipt]) -> Iterator[tuple[str, str]]:
        """Merge one after the other; yield those that are left, with the reason."""
        consolidation = self._app.consolidation
        for number, cluster in enumerate(clusters):
            self._calls.tell(number, len(clusters))
            try:
                receipts.append(consolidation.merge(consolidation.preview(cluster), automatic=True))
            except MnemexError as error:
                yield cluster.id, within(str(error), _REASON)
        self._calls.tell(len(clusters), len(clusters))

    def _take_back(self, receipts: Sequence[Receipt]) -> None:
        """Undo the merges of a call that was cut off: it has done all of its work or none."""
        with self._calls.settled():
            for receipt in reversed(receipts):
                try:
                    self._app.history.undo(receipt.operation_id)
                except MnemexError as error:
                    logger.warning("a merge of a call that was cut off stays, %s: %s", receipt.operation_id, error)

    def link(self) -> Told[Consolidated]:
        """Relate the members of each cluster, all as one operation."""
        clusters = self._clusters()
        self._need_confirmation(clusters)
        outcome = self._app.consolidation.link(clusters)
        if self._wanted.cluster_id is not None and outcome.failed:
            raise outcome.failed[0][1]
        made = sum(len(each.created) for each in outcome.done)
        skipped = {cluster.id: within(str(why), _REASON) for cluster, why in outcome.failed}
        clusters = [each for each in clusters if each.id not in skipped]
        left = f" Left as they are: {counted(len(skipped), 'group')}." if skipped else ""
        message = f"{counted(made, 'relation')} made; nothing was merged.{left}{' undo takes this back.' * bool(made)}"
        common = {
            "operation_id": next((each.operation_id for each in outcome.done if each.operation_id), None),
            "skipped_existing": sum(len(each.existing) for each in outcome.done),
        }
        if self._wanted.cluster_id is not None:
            view = answers.linked(clusters[0])
            return consolidated("link", message, relations_created=made, pairs_linked=made, **common, **facts_of(view))
        return consolidated(
            "auto_detect_link",
            message,
            linked_clusters=len(clusters),
            total_relations_created=made,
            skipped=skipped,
            results=fitting((answers.linked(each) for each in clusters), USUAL - AROUND),
            **common,
        )

    def _clusters(self) -> list[Cluster]:
        consolidation, wanted = self._app.consolidation, self._wanted
        if wanted.cluster_id is not None:
            return [consolidation.find(wanted.cluster_id)]
        limits = Limits(threshold=wanted.threshold, max_size=MAX_SIZE)
        found = consolidation.clusters(Strategy.SIMILARITY, limits)
        return [cluster for cluster in found if cluster.cohesion >= wanted.threshold]

    def _need_confirmation(self, clusters: Sequence[Cluster]) -> None:
        if len(clusters) > 1:
            need_confirmation(sum(len(cluster.members) for cluster in clusters), confirm=self._confirm)


def _left_in(receipts: Sequence[Receipt]) -> list[Entry]:
    return list(dict.fromkeys(entry for each in receipts for entry in each.left_links))


def _asks(previews: Sequence[MergePreview]) -> str:
    if not any(each.cautions for each in previews):
        return ""
    return " Where memories differ in facts only a person may decide: ask, then give merged_content."
