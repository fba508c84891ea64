"""The one table of settings: name, default, limits, meaning, inherited names, and what only may be tightened."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import tzinfo
from typing import Any, Literal, TypeVar, get_args
from zoneinfo import ZoneInfo

from mnemex_vault.clock import MachineZone
from mnemex_vault.domain.decay import DecayClock, DecayCurve, Exponential, PowerLaw, TwoComponent
from mnemex_vault.domain.scoring import Policy
from mnemex_vault.domain.trust import Approve, Supersede
from mnemex_vault.settings.kinds import (
    WHOLE_VAULT,
    Choice,
    Count,
    Folder,
    Kind,
    Number,
    Scope,
    Switch,
    Text,
    Words,
    Zone,
    narrower,
)
from mnemex_vault.settings.locations import DEFAULT_ROOT, Layout

# the rows are immutable, so a call as a default is safe
# ruff: noqa: RUF009


T = TypeVar("T")

Preset = Literal["balanced", "personal", "development", "research", "high-velocity", "decisions", "tidy"]
DecayModel = Literal["power_law", "exponential", "two_component"]
UpkeepStep = Literal["promote", "review", "archive"]
ToolSet = Literal["core", "full"]
RecallMode = Literal["silent", "subtle", "interactive"]
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]

OWN_PREFIX = "MNEMEX_"
INHERITED_PREFIXES = ("CORTEXGRAPH_", "STM_")
_SHARE = Number(high=1)
_POSITIVE = Number(above=True)
_DAYS = Number(above=True, unit="days")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One row of the table; `tighten` marks a safety setting and returns the stricter of two values."""

    name: str
    group: str
    kind: Kind[object]
    default: object
    meaning: str
    unset: str
    inherited: tuple[str, ...]
    tighten: Callable[[Any, Any], object] | None

    @property
    def variables(self) -> tuple[str, ...]:
        """Return the environment names, ours first."""
        name = self.name.upper()
        return (OWN_PREFIX + name, *(prefix + name for prefix in INHERITED_PREFIXES), *self.inherited)


def _outer(wanted: str | None, _of_vault: str | None) -> str | None:
    """What is loaded as code is chosen outside of the vault, which may be a stranger's."""
    return wanted


def _stricter(one: Approve, other: Approve) -> Approve:
    return max(one, other, key=get_args(Approve).index)


def _row(
    default: T,
    kind: Kind[object],
    group: str,
    meaning: str,
    *,
    unset: str = "",
    inherited: tuple[str, ...] = (),
    tighten: Callable[[Any, Any], object] | None = None,
) -> T:
    row = {"group": group, "kind": kind, "meaning": meaning, "unset": unset, "inherited": inherited, "tighten": tighten}
    return field(default=default, metadata=row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, resolved; each is explained in its row."""

    # fmt: off
    preset: Preset = _row(
        "balanced", Choice(("balanced", "personal", "development", "research", "high-velocity", "decisions", "tidy")),
        "Fading", "A set of defaults for a way of working; every setting given anywhere goes before it.")
    decay_model: DecayModel = _row(
        "power_law", Choice(("power_law", "exponential", "two_component")),
        "Fading", "How memories fade: fast at first and then ever slower (`power_law`), by half in equal times "
        "(`exponential`), or a fast and a slow part (`two_component`).")
    decay_clock: DecayClock = _row(
        "days", Choice(("days", "active_days")),
        "Fading", "What counts as time: every day (`days`), or none after three days on which no memory was saved or "
        "used (`active_days`), so that nothing fades while nobody is there.")
    pl_halflife_days: float = _row(
        3.0, _DAYS, "Fading", "Days without use after which half of a memory's score is left "
        "(power law and exponential).")
    pl_alpha: float = _row(
        1.1, Number(low=0.01), "Fading", "Shape of the power law: higher fades faster in the long run.")
    decay_lambda: float | None = _row(
        None, Number(above=True, unit="per second"), "Fading", "Rate of the exponential; goes before the half-life.",
        unset="from the half-life")
    decay_beta: float = _row(
        0.6, Number(high=2), "Fading", "How much repeated use counts: the score grows with uses to this power.")
    tc_lambda_fast: float = _row(
        1.603e-5, Number(above=True, unit="per second"), "Fading", "Rate of the fast part of `two_component`.")
    tc_lambda_slow: float = _row(
        1.147e-6, Number(above=True, unit="per second"), "Fading", "Rate of the slow part of `two_component`.")
    tc_weight_fast: float = _row(0.7, _SHARE, "Fading", "Share of the fast part of `two_component`.")

    forget_threshold: float = _row(
        0.05, _SHARE, "Forgetting", "A memory whose score is below this may be forgotten (moved to the archive).")
    forget_after_days: float | None = _row(
        None, _DAYS, "Forgetting", "Instead of the threshold: idle days after which a memory saved once and never "
        "used again may be forgotten.", unset="the threshold decides")
    gc_max_share: float = _row(
        0.1, _SHARE, "Forgetting", "The largest share of the short-term notes that one run may forget.", tighten=min)

    promote_threshold: float = _row(
        0.65, _SHARE, "Promotion", "A memory with at least this score may become long-term.")
    promote_use_count: int = _row(
        5, Count(low=1), "Promotion", "So may one with this many uses while it is young.")
    promote_time_window: float = _row(
        14.0, _DAYS, "Promotion", "How long a memory counts as young for that.")
    promote_min_uses: int = _row(
        3, Count(), "Promotion", "Uses after the save that every promotion needs; 0 switches this off.")
    promote_min_days: int = _row(
        2, Count(), "Promotion", "Different days with a use that every promotion needs; 0 switches this off.")

    auto_reinforce: bool = _row(
        True, Switch(), "Use", "Whether memories that an assistant reports as used are strengthened.")
    use_on_open: bool = _row(
        True, Switch(), "Use", "Whether opening up to three memories in full counts as a use, once a day a note.")
    quiet_seconds: float = _row(
        10.0, Number(high=3600, unit="seconds"), "Use", "How long a note that someone else just changed is left "
        "alone before a use is written to it.")
    review_blend_ratio: float = _row(
        0.0, _SHARE, "Use", "Share of the search results that may be matching memories due for review.")
    review_danger_zone_min: float = _row(
        0.15, _SHARE, "Use", "Scores from here up to the next setting are due for review; below is fading.")
    review_danger_zone_max: float = _row(
        0.35, _SHARE, "Use", "Upper end of the scores that are due for review.")

    search_stm_weight: float = _row(
        1.0, Number(high=10), "Search", "Weight of short-term memories in unified search.",
        inherited=("SEARCH_STM_WEIGHT",))
    search_ltm_weight: float = _row(
        1.0, Number(high=10), "Search", "Weight of long-term memories and ordinary notes in unified search.",
        inherited=("SEARCH_LTM_WEIGHT",))
    search_preview_length: int = _row(
        300, Count(high=5000, unit="characters"), "Search", "Length of the preview of each result; 0 gives the whole.")
    enable_embeddings: bool = _row(
        False, Switch(), "Search", "Whether search also compares by meaning (needs the `semantic` extra and a model).")
    embed_model: str | None = _row(
        None, Text("a folder with a model on this computer"), "Search", "The model for comparing by meaning; nothing "
        "is ever downloaded.", unset="none")

    cluster_link_threshold: float = _row(
        0.83, _SHARE, "Similar memories", "Memories at least this similar belong together.")
    cluster_max_size: int = _row(
        12, Count(low=2, high=100), "Similar memories", "The largest group that is proposed.")
    semantic_hi: float = _row(
        0.88, _SHARE, "Similar memories", "From this similarity on two memories are called duplicates.")

    upkeep: tuple[UpkeepStep, ...] = _row(
        ("promote", "review"), Words(("promote", "review", "archive")), "Upkeep", "What the server may do by itself: "
        "promote what is used again and again, write the review note, archive what has faded.")
    upkeep_interval_hours: float = _row(
        24.0, Number(low=1, unit="hours"), "Upkeep", "Time between two runs of the upkeep.")
    scan_interval_seconds: float = _row(
        300.0, Number(low=5, unit="seconds"), "Upkeep", "Time between two looks at the whole vault, in case a change "
        "was not reported.")
    heal_conflicts: bool = _row(
        False, Switch(), "Upkeep", "Whether the server joins a memory with copies of it that a sync tool left, where "
        "no text has to be chosen.")
    git_auto_commit: bool = _row(
        True, Switch(), "Upkeep", "Whether snapshots are taken by themselves once `mnemex backup` has been set up.",
        inherited=("GIT_AUTO_COMMIT",))
    git_commit_interval: float = _row(
        3600.0, Number(low=60, unit="seconds"), "Upkeep", "Time between two such snapshots.",
        inherited=("GIT_COMMIT_INTERVAL",))

    short_term_folder: str | None = _row(
        None, Folder(), "Folders and time", "Where new memories are kept.",
        unset="`Short-term` beside the settings note")
    long_term_folder: str | None = _row(
        None, Folder(), "Folders and time", "Where promoted memories go.", unset="`Long-term` beside the settings note",
        inherited=("LTM_PROMOTED_FOLDER",))
    archive_folder: str | None = _row(
        None, Folder(), "Folders and time", "Where forgotten memories go.", unset="`Archive` beside the settings note")
    timezone: str | None = _row(
        None, Zone(), "Folders and time", "The time zone of the dates in notes; the same on every device.",
        unset="the computer's")
    tag_prefix: str | None = _row(
        None, Text("a tag, such as `memory`"), "Folders and time", "New tags that an assistant invents go below this "
        "tag.", unset="none")

    read_only: bool = _row(
        False, Switch(), "Safety", "Whether every change is refused.", tighten=operator.or_)
    read_paths: tuple[str, ...] = _row(
        (WHOLE_VAULT,), Scope(), "Safety", "The ordinary notes that an assistant may read; memories always.",
        tighten=narrower)
    write_paths: tuple[str, ...] = _row(
        (WHOLE_VAULT,), Scope(), "Safety", "Where notes may be changed or moved to besides the memory folders.",
        tighten=narrower)
    detect_secrets: bool = _row(
        True, Switch(), "Safety", "Whether text that looks like a password or key is refused.", tighten=operator.or_)
    neutralise_active_content: bool = _row(
        True, Switch(), "Safety", "Whether text that a person did not write is kept from running plugin code or "
        "loading anything in Obsidian.", tighten=operator.or_)

    approve: Approve = _row(
        "web", Choice(get_args(Approve)), "Safety", "Whose memories wait for a person's yes before they are pinned, "
        "part of the brief or long-term: those from the web, or what an assistant wrote as well.", tighten=_stricter)

    ner_model: str | None = _row(
        None, Text("an installed spaCy pipeline, or a folder with one"), "Safety", "What finds names in memories "
        "besides the built-in rules (needs the `ner` extra); nothing is ever downloaded.", unset="none", tighten=_outer)

    tools: ToolSet = _row(
        "core", Choice(("core", "full")), "Assistants", "How many tools an assistant gets.")
    auto_recall_enabled: bool = _row(
        True, Switch(), "Assistants", "Whether memories that fit a message are looked for by themselves.")
    auto_recall_mode: RecallMode = _row(
        "silent", Choice(("silent", "subtle", "interactive")), "Assistants", "How such memories are brought up.")
    auto_recall_relevance_threshold: float = _row(
        0.3, _SHARE, "Assistants", "How well a memory must fit for that.")
    auto_recall_max_results: int = _row(
        3, Count(low=1, high=10), "Assistants", "How many at most.")
    auto_recall_min_interval: float = _row(
        300.0, Number(unit="seconds"), "Assistants", "Time between two such look-ups.")
    supersede: Supersede = _row(
        "ask", Choice(get_args(Supersede)), "Assistants", "Whether a new memory that clearly says that something has "
        "changed replaces the old one by itself, or nothing is replaced before somebody says so.")
    log_level: LogLevel = _row(
        "INFO", Choice(("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")), "Assistants", "How much is written to "
        "the log (on stderr).", inherited=("LOG_LEVEL",))
    # fmt: on

    def curve(self) -> DecayCurve:
        """Return how memories fade."""
        if self.decay_model == "power_law":
            return PowerLaw(self.pl_alpha, self.pl_halflife_days)
        if self.decay_model == "two_component":
            return TwoComponent(self.tc_lambda_fast, self.tc_lambda_slow, self.tc_weight_fast)
        if self.decay_lambda is not None:
            return Exponential.from_rate(self.decay_lambda)
        return Exponential(self.pl_halflife_days)

    def policy(self) -> Policy:
        """Return all that scoring depends on; raises ValueError as long as there are `conflicts`."""
        return Policy(
            curve=self.curve(),
            use_exponent=self.decay_beta,
            forget_threshold=self.forget_threshold,
            forget_after_days=self.forget_after_days,
            promote_threshold=self.promote_threshold,
            promote_use_count=self.promote_use_count,
            promote_window_days=self.promote_time_window,
            promote_min_uses=self.promote_min_uses,
            promote_min_days=self.promote_min_days,
            review_min=self.review_danger_zone_min,
            review_max=self.review_danger_zone_max,
        )

    def layout(self, root: str = DEFAULT_ROOT) -> Layout:
        """Return the memory folders; `root` is the folder of the settings note, empty for the top of the vault."""
        return Layout.below(
            root, short_term=self.short_term_folder, long_term=self.long_term_folder, archive=self.archive_folder
        )

    def zone(self) -> tzinfo:
        """Return the zone in which dates in notes are meant."""
        return MachineZone() if self.timezone is None else ZoneInfo(self.timezone)

    def conflicts(self, root: str = DEFAULT_ROOT) -> list[tuple[tuple[str, ...], str]]:
        """Return what does not fit together: names of settings, and why."""
        found: list[tuple[tuple[str, ...], str]] = []
        if self.review_danger_zone_min >= self.review_danger_zone_max:
            names = ("review_danger_zone_min", "review_danger_zone_max")
            found.append((names, "review_danger_zone_min must be below review_danger_zone_max"))
        clash = self.layout(root).clash()
        if clash:
            found.append((("short_term_folder", "long_term_folder", "archive_folder"), clash))
        return found


def _rows() -> Mapping[str, Setting]:
    return {row.name: Setting(name=row.name, default=row.default, **row.metadata) for row in fields(Settings)}


TABLE: Mapping[str, Setting] = _rows()

# values of the predecessors' tuning sheet: the end of each range that lies nearest to the balanced value
PRESETS: Mapping[Preset, Mapping[str, object]] = {
    "balanced": {},
    "personal": {"pl_halflife_days": 3.0},
    "development": {"pl_halflife_days": 1.0},
    "research": {"pl_halflife_days": 14.0, "decay_beta": 0.5, "promote_threshold": 0.6},
    "high-velocity": {
        "pl_halflife_days": 1.0,
        "decay_beta": 0.8,
        "forget_threshold": 0.1,
        "promote_threshold": 0.7,
    },
    "decisions": {"pl_halflife_days": 7.0, "decay_beta": 0.8},
    "tidy": {"pl_halflife_days": 2.0, "forget_threshold": 0.08},
}
