"""Server and plugin on one vault; run `python -m tests.system.plugin_cross` after `npm run build` in obsidian-plugin.

The server writes memories, the built plugin acts on them in Chromium, the server reads them back: every usage and score
that the plugin reports is the server's, and every note is, byte for byte, what the server makes of a twin of the vault
by the same actions. Ends with 1 and a line for each difference.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.memory import RelationType, Usage
from mnemex_vault.memories.draft import Draft

PLUGIN = Path(__file__).parents[2] / "obsidian-plugin"
SETTINGS = "---\nmnemex: settings\ntimezone: Europe/Berlin\ndecay_model: {model}\n---\n"
MODELS = ("power_law", "exponential", "two_component")
TOLERANCE = 1e-9
SECONDS = 120
# later than any file is written, so that no note counts as being edited
START = datetime.now(UTC).replace(hour=9, minute=15, second=7, microsecond=0) + timedelta(days=2)
COUNTS = {"use_count": "useCount", "days_used": "daysUsed", "strength": "strength", "pinned": "pinned",
          "half_life_days": "halfLifeDays", "review_count": "reviewCount",
          "cross_domain_count": "crossDomainCount"}  # fmt: skip
MOMENTS = {"created": "created", "last_used": "lastUsed", "promoted": "promoted", "last_review": "lastReview"}

Opened = Callable[[datetime], AbstractContextManager[App]]
Action = tuple[str, str]


def drafts() -> list[Draft]:
    return [
        Draft(content="I prefer TypeScript over JavaScript.", tags=["preferences", "typescript"], strength=1.3),
        Draft(content="Anna plays the cello: on Mondays, 19:00.", title="Anna: cello?", entities=["Anna"]),
        Draft(content="打ち合わせは水曜日の午後に変更。\n\n資料は前日まで。", strength=0.5),
        Draft(content="يفضّل الاجتماعات القصيرة في الصباح.", half_life_days=7.5),
        Draft(content="Never suggest peanuts. ![x](https://example.org/x.png)", origin="web", strength=2.0),
        Draft(content="# A heading\n\n- one\n- two #inline\n\n---\n\nno: frontmatter\n", title="A list", pinned=True),
        Draft(
            content="The harvest failed.", source='a "quoted" source: #1', context="at the farm's table", strength=0.1
        ),
        Draft(content="Old VPN endpoint, replaced in March.", project="Infrastructure", session="planning"),
        Draft(content="The ferry leaves at noon.", strength=1.7),
        Draft(content="Nobody acts on this one."),
        Draft(content="The market opens at nine, says its page.", origin="web"),
        Draft(content="The office is in Gdańsk.", entities=["Anna"]),
        Draft(content="The office is in Bergen.", title="Office: Bergen"),
        Draft(content="The other office is in Bergen.", title="The office"),
    ]


def furnish(opened: Opened) -> list[str]:
    with opened(START) as app:
        ids = [app.collection.save(draft).memory.id for draft in drafts()]
    for days, used in ((1, [*ids[:5], ids[12]]), (2, ids[2:4]), (9, [ids[0]])):
        with opened(START + timedelta(days=days, hours=13)) as app:
            for memory_id in used:
                app.lifecycle.touch(memory_id, boost=memory_id == ids[3])
    return ids


def actions_for(ids: Sequence[str]) -> list[Action]:
    verbs = ("use", "strengthen", "keep", "use", "strengthen", "unpin", "pin", "archive", "promote")
    first = list(zip(verbs, ids, strict=False))
    # what strangers said: pinning and promoting it is a yes
    first += [("pin", ids[4]), ("promote", ids[10])]
    # what a person says of two that may not both hold; one of them has a namesake
    first += [("supersede", f"{ids[11]}+{ids[12]}"), ("allowBoth", f"{ids[12]}+{ids[13]}")]
    return [*first, ("use", ids[0]), ("use", ids[2]), ("restore", ids[7]), ("promote", ids[1]), ("demote", ids[8])]


def act_by_plugin(vault: Path, actions: Sequence[Action], now: datetime, report: Path) -> list[dict[str, Any]]:
    told = [f"{verb}={memory_id}" for verb, memory_id in actions]
    command = ["node", "e2e/act.mjs", str(vault), "--now", now.isoformat(), "--report", str(report), *told]
    subprocess.run(command, cwd=PLUGIN, check=True, timeout=SECONDS)
    found: list[dict[str, Any]] = json.loads(report.read_text("utf-8"))
    return found


def act_by_server(app: App, actions: Sequence[Action]) -> None:
    def relate(pair: str, kind: RelationType) -> object:
        holds, other = pair.split("+")
        return app.relations.create(holds, other, kind)

    verbs: dict[str, Callable[[str], object]] = {
        "use": app.lifecycle.touch,
        "strengthen": lambda memory_id: app.lifecycle.touch(memory_id, boost=True),
        "keep": lambda memory_id: app.lifecycle.observe([memory_id]),
        "pin": app.editing.pin,
        "unpin": lambda memory_id: app.editing.pin(memory_id, pinned=False),
        "promote": app.review.promote,
        "demote": app.lifecycle.demote,
        "archive": app.lifecycle.forget,
        "restore": app.lifecycle.restore,
        "supersede": lambda pair: relate(pair, RelationType.SUPERSEDES),
        "allowBoth": lambda pair: relate(pair, RelationType.BOTH_TRUE),
    }
    for verb, subject in actions:
        verbs[verb](subject)


def compare_report(app: App, report: Sequence[dict[str, Any]], now: datetime) -> Iterator[str]:
    for row in report:
        entry = app.store.memory_entry(row["memory_id"])
        seen = datetime.fromtimestamp(row["now"] / 1000, UTC)
        if not timedelta() <= seen - now < timedelta(seconds=SECONDS):
            yield f"{entry.path}: the plugin's clock stood at {seen}, not {now}"
        if (entry.path, entry.tier.value) != (row["path"], row["tier"]):
            yield f"{entry.path}, {entry.tier.value}: the plugin says {row['path']}, {row['tier']}"
        score = app.store.score(entry, now=seen)
        if abs(score - row["score"]) > TOLERANCE * max(1.0, abs(score)):
            yield f"{entry.path}: the score is {score!r}, the plugin says {row['score']!r}"
        yield from compare_usage(entry.path, app.store.usage(entry), row["usage"])


def compare_usage(path: str, usage: Usage, told: dict[str, Any]) -> Iterator[str]:
    for name, key in COUNTS.items():
        if getattr(usage, name) != told[key]:
            yield f"{path}: {name} is {getattr(usage, name)!r}, the plugin says {told[key]!r}"
    for name, key in MOMENTS.items():
        moment = getattr(usage, name)
        if (None if moment is None else moment.timestamp() * 1000) != told[key]:
            yield f"{path}: {name} is {moment}, the plugin says {told[key]!r}"


def compare_notes(vault: Path, twin: Path) -> Iterator[str]:
    ours, theirs = notes_of(twin), notes_of(vault)
    for path in sorted(ours.keys() | theirs.keys()):
        if ours.get(path) != theirs.get(path):
            yield f"{path}: by the server {ours.get(path)!r}, by the plugin {theirs.get(path)!r}"


def notes_of(vault: Path) -> dict[str, bytes]:
    return {str(path.relative_to(vault)): path.read_bytes() for path in vault.rglob("*.md")}


def cross(folder: Path, model: str) -> tuple[int, list[str]]:
    """Return on how many memories both acted, and what was different."""

    def opening(vault: Path) -> Opened:
        environ = {"MNEMEX_STATE_PATH": str(folder / "state")}
        return lambda now: open_app(vault, clock=lambda: now, environ=environ, options={"quiet_seconds": 0})

    vault, twin = folder / "vault", folder / "twin"
    (vault / "Memories").mkdir(parents=True)
    (vault / "Memories/Settings.md").write_text(SETTINGS.format(model=model), "utf-8")
    (vault / "Anna.md").write_text("# Anna\n", "utf-8")
    actions = actions_for(furnish(opening(vault)))
    (vault / "Office - Bergen.md").write_text("A namesake, so that a link needs the path.\n", "utf-8")
    shutil.copytree(vault, twin)
    now = START + timedelta(days=20, hours=14, minutes=22, seconds=35)
    report = act_by_plugin(vault, actions, now, folder / "report.json")
    acted = datetime.fromtimestamp(report[0]["now"] / 1000, UTC)
    with opening(vault)(acted) as app:
        found = list(compare_report(app, report, now))
        found += [f"{each.path}: {each.detail}" for each in app.overview.findings()]
    with opening(twin)(now) as app:
        act_by_server(app, actions)
    return len(report), found + list(compare_notes(vault, twin))


def main() -> int:
    failed = 0
    for model in MODELS:
        with tempfile.TemporaryDirectory(prefix="mnemex-cross-") as folder:
            acted, found = cross(Path(folder), model)
        failed += len(found)
        sys.stdout.write("".join(f"{model}: {line}\n" for line in found))
        sys.stdout.write(f"{model}: {acted} memories, {len(found)} differences\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
