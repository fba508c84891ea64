"""One call of consolidate_memories: which clusters are meant, and what is done with them."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mnemex_vault.app import App
from mnemex_vault.domain.clusters import MAX_SIZE, Cluster, Limits, Strategy
from mnemex_vault.domain.words import counted
from mnemex_vault.errors import InvalidInput, MnemexError
from mnemex_vault.index.entry import Entry
from mnemex_vault.mcp.budget import AROUND, USUAL, fitting, within
from mnemex_vault.mcp.calls import Calls
from mnemex_vault.mcp.confirmation import need_confirmation
from mnemex_vault.mcp.facts import left_words
from mnemex_vault.mcp.present_clusters import linked_view, merge_note, preview_view, receipt_view
from mnemex_vault.mcp.views_clusters import Consolidated, MergePreview, MergeReceipt
from mnemex_vault.memories.consolidation import Receipt
from mnemex_vault.memories.recalled import UNKNOWN_ORIGIN, Recalled, quoted

logger = logging.getLogger(__name__)

_PREVIEWS = 5
# a merged memory is shown whole, of several each only its beginning
_LONGEST = 60_000
_LONGEST_OF_MANY = 1_000
# what is said of the groups that were left as they are, and of each
_SKIPPED = 4_000
_REASON = 200
# who wrote a memory that was made of others
_MERGED_ORIGIN = "ai"


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

    def preview(self) -> Consolidated:
        """Show what a merge would make."""
        clusters = self._clusters()
        if self._wanted.cluster_id is not None:
            only = self._preview(clusters[0])
            facts = {name: getattr(only, name) for name in MergePreview.model_fields}
            return _answer("preview", f"Nothing was changed; the merged memory is shown.{_asks([only])}", **facts)
        shown = fitting((self._preview(cluster) for cluster in clusters[:_PREVIEWS]), USUAL - AROUND)
        first = f"; the first {len(shown)} are shown" if len(shown) < len(clusters) else ""
        return _answer(
            "auto_detect_preview",
            f"{counted(len(clusters), 'group')} could be merged{first}; nothing was changed.{_asks(shown)}",
            candidates_found=len(clusters),
            showing=len(shown),
            previews=shown,
        )

    def _preview(self, cluster: Cluster) -> MergePreview:
        longest = _LONGEST if self._wanted.cluster_id is not None else _LONGEST_OF_MANY
        preview = self._app.consolidation.preview(cluster, content=self._wanted.content)
        return preview_view(self._app.store, preview, longest=longest)

    def merge(self) -> Consolidated:
        """Merge, each cluster as one operation; memories that differ in facts are left to a person."""
        clusters = self._clusters()
        self._need_confirmation(clusters)
        return self._merge_one(clusters[0]) if self._wanted.cluster_id is not None else self._merge_all(clusters)

    def _merge_one(self, cluster: Cluster) -> Consolidated:
        consolidation = self._app.consolidation
        preview = consolidation.preview(cluster, content=self._wanted.content)
        receipt = consolidation.merge(preview, automatic=True)
        view = receipt_view(receipt)
        merged = counted(len(cluster.members), "memory", "memories")
        message = (
            f"Merged {merged} into [{view.new_memory_id}]; the originals are in the archive. undo takes this back."
            f"{left_words(receipt.left_links)}"
        )
        return _answer("apply", message, **view.model_dump(exclude={"success"}))

    def _merge_all(self, clusters: Sequence[Cluster]) -> Consolidated:
        receipts: list[Receipt] = []
        try:
            skipped = dict(self._merge_each(clusters, receipts))
        except BaseException:
            self._take_back(receipts)
            raise
        saved = sum(len(each.cluster.members) - 1 for each in receipts)
        shown = fitting((receipt_view(each) for each in receipts), USUAL - AROUND - _SKIPPED)
        first = f" (the first {len(shown)} are listed)" if len(shown) < len(receipts) else ""
        left = f"; left as they are: {counted(len(skipped), 'group')}" if skipped else ""
        return _answer(
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

    def link(self) -> Consolidated:
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
            view = linked_view(clusters[0])
            return _answer("link", message, relations_created=made, pairs_linked=made, **common, **view.model_dump())
        return _answer(
            "auto_detect_link",
            message,
            linked_clusters=len(clusters),
            total_relations_created=made,
            skipped=skipped,
            results=fitting((linked_view(each) for each in clusters), USUAL - AROUND),
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


def _answer(mode: str, message: str, **facts: object) -> Consolidated:
    return Consolidated.model_validate({"success": True, "mode": mode, "message": message, **facts})


def consolidated_notes(view: Consolidated) -> Iterator[Recalled]:
    """Give the memories that a merge would make, or what was made of them."""
    if view.merged_memory is not None:
        yield merge_note(MergePreview.model_validate({name: getattr(view, name) for name in MergePreview.model_fields}))
    yield from map(merge_note, view.previews or ())
    for each in view.results or ():
        if isinstance(each, MergeReceipt):
            yield _receipt(each.new_memory_id, each.path)
            yield from map(_left, each.links_left)
    yield from map(_left, view.links_left or ())
    if view.new_memory_id and view.path:
        yield _receipt(view.new_memory_id, view.path)
    for cluster_id, why in (view.skipped or {}).items():
        yield Recalled(mark="Left as it is: ", name=cluster_id, origin=UNKNOWN_ORIGIN, text=why)


def _left(path: str) -> Recalled:
    return Recalled(mark="Not rewritten: ", name=path, origin=UNKNOWN_ORIGIN)


def _receipt(memory_id: str, path: str) -> Recalled:
    return Recalled(name=memory_id, origin=_MERGED_ORIGIN, facts=[f"at {quoted(path)}"])
