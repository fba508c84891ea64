from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from resource import RLIMIT_FSIZE, setrlimit
from signal import SIG_IGN, SIGXFSZ, signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.history.append_log import AppendLog, encode_line

Log = AppendLog[dict[str, int]]


def open_log(path: Path) -> Log:
    return AppendLog(path, dict[str, int])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.log"


def test_records_come_back_in_order_to_every_reader(path: Path) -> None:
    one, other = open_log(path), open_log(path)
    assert list(one.read()) == []
    one.append([{"a": 1}, {"b": 2}])
    other.append([{"c": 3}], durable=False)
    assert list(one.read()) == list(other.read()) == [{"a": 1}, {"b": 2}, {"c": 3}]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_follower_gets_each_record_once_and_is_told_to_begin_anew(path: Path) -> None:
    follower, writer = open_log(path), open_log(path)
    assert follower.follow() == ([], True)
    writer.append([{"a": 1}])
    writer.append([{"b": 2}])
    assert follower.follow() == ([{"a": 1}, {"b": 2}], True)
    assert follower.follow() == ([], False)
    follower.append([{"c": 3}])
    assert follower.follow() == ([{"c": 3}], False)
    writer.rewrite(lambda records: records[1:])
    assert follower.follow() == ([{"b": 2}, {"c": 3}], True)
    follower.rewrite(lambda records: records[1:])
    assert follower.follow() == ([{"c": 3}], True)
    path.unlink()
    assert follower.follow() == ([], True)
    assert follower.follow() == ([], False)


def test_nothing_is_read_again_when_nothing_was_appended(path: Path) -> None:
    log = open_log(path)
    log.append([{"a": 1}])
    assert log.read() is log.read()


@pytest.mark.row("T3")
@given(
    before=st.lists(st.dictionaries(st.text(max_size=5), st.integers(-(2**40), 2**40), max_size=3), max_size=6),
    data=st.data(),
)
def test_a_cut_at_any_byte_costs_only_the_records_behind_it(
    tmp_path_factory: pytest.TempPathFactory, before: list[dict[str, int]], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("log") / "x.log"
    open_log(path).append(before, durable=False)
    cut = data.draw(st.integers(0, path.stat().st_size))
    os.truncate(path, cut)
    whole = path.read_bytes().count(b"\n")
    log = open_log(path)
    assert list(log.read()) == before[:whole]
    log.append([{"next": 1}], durable=False)
    assert list(log.read()) == list(open_log(path).read()) == [*before[:whole], {"next": 1}]
    assert log.damaged == 0


@given(position=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_a_changed_byte_costs_at_most_two_records_and_never_makes_one_up(
    tmp_path_factory: pytest.TempPathFactory, position: int, byte: int
) -> None:
    path = tmp_path_factory.mktemp("log") / "x.log"
    records = [{"number": number} for number in range(20)]
    open_log(path).append(records, durable=False)
    text = bytearray(path.read_bytes())
    text[position % len(text)] = byte
    path.write_bytes(text)
    found = list(open_log(path).read())
    assert len(found) >= len(records) - 2
    assert all(record in records for record in found)


def test_damage_in_the_middle_is_passed_over_and_counted(path: Path) -> None:
    path.write_bytes(encode_line({"a": 1}) + b"rubbish\n" + encode_line(["wrong type"]) + encode_line({"b": 2}))
    log = open_log(path)
    assert list(log.read()) == [{"a": 1}, {"b": 2}]
    assert log.damaged == 2


def test_a_very_long_torn_line_is_taken_away_whole(path: Path) -> None:
    path.write_bytes(encode_line({"a": 1}) + b"x" * 200_000)
    log = open_log(path)
    log.append([{"b": 2}])
    assert path.read_bytes() == encode_line({"a": 1}) + encode_line({"b": 2})


def test_a_rewrite_keeps_what_it_is_told_and_other_readers_follow(path: Path) -> None:
    one, other = open_log(path), open_log(path)
    one.append([{"a": number} for number in range(10)])
    assert len(other.read()) == 10
    (path.parent / f".{path.name}.tmp").write_text("left by a crash")
    one.rewrite(lambda records: records[8:])
    other.append([{"b": 1}])
    assert list(one.read()) == list(other.read()) == [{"a": 8}, {"a": 9}, {"b": 1}]
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_log_that_is_deleted_is_empty_and_starts_again(path: Path) -> None:
    log = open_log(path)
    log.append([{"a": 1}])
    log.read()
    path.unlink()
    assert list(log.read()) == []
    log.append([{"b": 2}])
    assert list(log.read()) == [{"b": 2}]


def test_an_append_that_the_disk_refuses_leaves_the_log_as_it_was(path: Path, in_child: Callable[..., int]) -> None:
    log = open_log(path)
    log.append([{"a": 1}])
    before = path.read_bytes()

    def work() -> None:
        signal(SIGXFSZ, SIG_IGN)
        setrlimit(RLIMIT_FSIZE, (len(before) + 10, len(before) + 10))
        with pytest.raises(OSError, match="too large"):
            log.append([{"b": 2}, {"c": 3}])

    assert in_child(work) == 0
    assert path.read_bytes() == before


def test_many_processes_append_and_one_rewrites_and_no_record_is_lost(path: Path) -> None:
    children = []
    for worker in range(3):
        child = os.fork()
        if child == 0:
            log = open_log(path)
            for number in range(40):
                log.append([{"worker": worker, "number": number}], durable=False)
                if worker == 0 and number % 10 == 0:
                    log.rewrite(lambda records: records)
            os._exit(0)
        children.append(child)
    for child in children:
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    found = [(record["worker"], record["number"]) for record in open_log(path).read()]
    assert sorted(found) == [(worker, number) for worker in range(3) for number in range(40)]
