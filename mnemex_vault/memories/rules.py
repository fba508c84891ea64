"""What the use cases go by: the policy of scoring, the time zone, weights, limits and what is allowed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from mnemex_vault.domain.decay import DecayClock
from mnemex_vault.domain.scoring import Policy
from mnemex_vault.domain.trust import Approve, Supersede


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The part of the settings that the use cases need.

    `read_paths` and `write_paths` are folders of the vault; None means no limit. Memory folders may always be read.
    `neutralise` makes text that a person did not write inert in notes.
    """

    policy: Policy = field(default_factory=Policy)
    decay_clock: DecayClock = "days"
    zone: tzinfo = UTC
    short_term_weight: float = 1.0
    long_term_weight: float = 1.0
    preview_length: int = 300
    review_blend_ratio: float = 0.0
    gc_max_share: float = 0.1
    quiet_seconds: float = 10
    auto_reinforce: bool = True
    use_on_open: bool = True
    read_only: bool = False
    read_only_because: str = "setting read_only"
    read_paths: tuple[str, ...] | None = None
    write_paths: tuple[str, ...] | None = None
    tag_prefix: str = ""
    detect_secrets: bool = True
    neutralise: bool = True
    approve: Approve = "web"
    supersede: Supersede = "ask"
