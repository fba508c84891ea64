"""What the server does by itself: upkeep when it is due, on one device a day, and what a person ticked."""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from mnemex_vault.disk.state import Moments
from mnemex_vault.errors import MnemexError, NotAllowed, VaultUnavailable
from mnemex_vault.memories.review import Review, Ticked
from mnemex_vault.memories.store import Store
from mnemex_vault.memories.upkeep import Step, StepReport, Upkeep, is_due

logger = logging.getLogger(__name__)

PROMOTE, REVIEW, ARCHIVE = "promote", "review", "archive"
FIRST_AFTER = timedelta(minutes=10)
_RUN, _REVIEWED = "upkeep", "review written"
_WEEK_HOURS = 7 * 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What may run by itself, how often, and where a new review note goes."""

    steps: Collection[str]
    interval_hours: float
    folder: str
    device: str


class Automation:
    """Runs upkeep when it is due; remembers among the `moments` when it last did on this device."""

    def __init__(self, store: Store, upkeep: Upkeep, review: Review, moments: Moments) -> None:
        self._store = store
        self._upkeep = upkeep
        self._review = review
        self._moments = moments
        self._started = store.clock()

    def run_if_due(self, plan: Plan) -> list[StepReport]:
        """Run what is due; nothing in the first ten minutes, in read-only mode, or if another device did it today."""
        now = self._store.clock()
        if self._store.rules.read_only or not plan.steps or now - self._started < FIRST_AFTER:
            return []
        if not is_due(self._moments.last(_RUN), now=now, hours=plan.interval_hours) or not self._is_our_turn(plan, now):
            return []
        try:
            return self.run(plan)
        except VaultUnavailable as error:
            logger.warning("upkeep waits: %s", error.reason)
            return []

    def _is_our_turn(self, plan: Plan, now: datetime) -> bool:
        last = self._review.last_run()
        return last is None or last.device == plan.device or is_due(last.time, now=now, hours=plan.interval_hours)

    def run(self, plan: Plan) -> list[StepReport]:
        """Run the steps now. Raises VaultUnavailable when automatic change is not safe."""
        now = self._store.clock()
        steps = {PROMOTE: Step.PROMOTE, ARCHIVE: Step.FORGET}
        reports = self._upkeep.run([step for name, step in steps.items() if name in plan.steps], dry_run=False)
        for report in reports:
            logger.info("upkeep: %s: %d", report.step.value, len(report.operation_ids))
        self._moments.remember(_RUN, now)
        if REVIEW in plan.steps and is_due(self._moments.last(_REVIEWED), now=now, hours=_WEEK_HOURS):
            self._review.write(folder=plan.folder, device=plan.device)
            self._moments.remember(_REVIEWED, now)
        else:
            self._review.stamp(plan.device)
        return reports

    def apply_ticks(self, plan: Plan) -> Ticked:
        """Do what a person ticked in the review note, and make the note anew."""
        outcome = Ticked()
        try:
            outcome = self._review.apply_ticks()
            if outcome.done:
                self._review.write(folder=plan.folder, device=plan.device, applied=outcome.done)
        except NotAllowed:
            logger.debug("the review note cannot be written")
        except MnemexError as error:
            logger.warning("the review note: %s", error)
        return outcome
