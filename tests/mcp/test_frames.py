"""Whatever comes over the pipe or in a body is answered by the rules of JSON-RPC, and the server goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.types import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR

from mnemex_vault.mcp.frames import read_frame
from mnemex_vault.mcp.stdio import LONGEST_LINE
from tests.mcp.piped import Pipe, dispose, empty_folder, surroundings_in
from tests.mcp.served import HELLO, Served, serving

NULL = (None,)
ID = 77
DEEP = b"[" * 5_000 + b"]" * 5_000
# name, what is sent, the code of the errors, the ids that they carry
BROKEN: list[tuple[str, bytes, int, tuple[object, ...]]] = [
    ("text", b"garbage", PARSE_ERROR, NULL),
    ("half a pair", rb'{"jsonrpc":"2.0","id":77,"method":"ping","params":{"x":"Broken \ud83d emoji"}}', PARSE_ERROR, (ID,)),
    ("half a pair, id last", rb'{"method":"ping","params":{"x":"\udc00 [\" {"},"jsonrpc":"2.0","id":77}', PARSE_ERROR, (ID,)),
    ("half a pair as a name", rb'{"jsonrpc":"2.0","id":77,"method":"ping","params":{"\ud83d":1}}', PARSE_ERROR, (ID,)),
    ("half a pair in the id", rb'{"jsonrpc":"2.0","id":"\ud83d","method":"ping"}', PARSE_ERROR, NULL),
    ("half a pair in the method", rb'{"jsonrpc":"2.0","id":77,"method":"\ud83d"}', PARSE_ERROR, (ID,)),
    ("cut off in a text", b'{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"sa', PARSE_ERROR, (ID,)),
    ("cut off after a text", b'{"jsonrpc":"2.0","id":77,"method":"ping"', PARSE_ERROR, (ID,)),
    ("cut off in the id", b'{"jsonrpc":"2.0","method":"ping","id":7', PARSE_ERROR, NULL),
    ("cut off at once", b"{", PARSE_ERROR, NULL),
    ("two in a line", b'{"jsonrpc":"2.0","id":77,"method":"ping"}{"jsonrpc":"2.0","id":"b","method":"ping"}', PARSE_ERROR, (ID, "b")),
    ("an id in a text that does not end", b'{"jsonrpc":"2.0","method":"pi "id":5, }', PARSE_ERROR, NULL),
    ("no UTF-8", b'{"jsonrpc":"2.0","id":77,"method":"ping","params":{"x":"\xff"}}', PARSE_ERROR, (ID,)),
    ("binary", b"\x00\x01\xfe\xff" * 64, PARSE_ERROR, NULL),
    ("UTF-16", '{"jsonrpc":"2.0","id":77,"method":"ping"}'.encode("utf-16").replace(b"\n", b"\x00"), PARSE_ERROR, NULL),
    ("two byte order marks", b'\xef\xbb\xbf\xef\xbb\xbf{"jsonrpc":"2.0","id":77,"method":"ping"}', PARSE_ERROR, (ID,)),
    ("NaN", b'{"jsonrpc":"2.0","id":77,"method":"ping","params":{"x":NaN}}', PARSE_ERROR, (ID,)),
    ("Infinity", b'{"jsonrpc":"2.0","id":77,"method":"ping","params":{"x":-Infinity}}', PARSE_ERROR, (ID,)),
    ("NaN as id", b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', PARSE_ERROR, NULL),
    ("single quotes", b"{'jsonrpc':'2.0','id':77,'method':'ping'}", PARSE_ERROR, NULL),
    ("a comma too many", b'{"jsonrpc":"2.0","id":77,"method":"ping",}', PARSE_ERROR, (ID,)),
    ("a number of 5000 digits", b'{"jsonrpc":"2.0","id":77,"method":"ping","params":{"x":' + b"9" * 5_000 + b"}}", PARSE_ERROR, (ID,)),
    ("deep", b'{"jsonrpc":"2.0","id":77,"method":"ping","params":{"x":' + DEEP + b"}}", PARSE_ERROR, (ID,)),
    ("deep, id last", b'{"method":"ping","params":{"x":' + DEEP + b'},"jsonrpc":"2.0","id":77}', PARSE_ERROR, (ID,)),
    ("deep and nothing else", b"[" * 100_000, PARSE_ERROR, NULL),
    ("a cut off answer", b'{"jsonrpc":"2.0","id":77,"result":{"x":', PARSE_ERROR, NULL),
    ("empty batch", b"[]", INVALID_REQUEST, NULL),
    ("batch", b'[{"jsonrpc":"2.0","id":77,"method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]', INVALID_REQUEST, (ID, "b")),
    ("mixed batch", b'[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":77,"method":"ping"},5,{"id":1,"result":{}}]', INVALID_REQUEST, (ID,)),
    ("batch of nothing", b"[1,2,null]", INVALID_REQUEST, NULL),
    ("number", b"5", INVALID_REQUEST, NULL),
    ("null", b"null", INVALID_REQUEST, NULL),
    ("fractional id", b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', INVALID_REQUEST, (1.5,)),
    ("null id", b'{"jsonrpc":"2.0","id":null,"method":"ping"}', INVALID_REQUEST, NULL),
    ("bool id", b'{"jsonrpc":"2.0","id":true,"method":"ping"}', INVALID_REQUEST, NULL),
    ("object id", b'{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', INVALID_REQUEST, NULL),
    ("list id", b'{"jsonrpc":"2.0","id":[77],"method":"ping"}', INVALID_REQUEST, NULL),
    ("endless id", b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}', INVALID_REQUEST, NULL),
    ("no jsonrpc", b'{"id":77,"method":"ping"}', INVALID_REQUEST, (ID,)),
    ("old jsonrpc", b'{"jsonrpc":"1.0","id":77,"method":"ping"}', INVALID_REQUEST, (ID,)),
    ("jsonrpc as a number", b'{"jsonrpc":2.0,"id":77,"method":"ping"}', INVALID_REQUEST, (ID,)),
    ("no method", b'{"jsonrpc":"2.0","id":77}', INVALID_REQUEST, (ID,)),
    ("nothing at all", b"{}", INVALID_REQUEST, NULL),
    ("method as a number", b'{"jsonrpc":"2.0","id":77,"method":5}', INVALID_REQUEST, (ID,)),
    ("params as a list", b'{"jsonrpc":"2.0","id":77,"method":"ping","params":[1]}', INVALID_PARAMS, (ID,)),
    ("params as a text", b'{"jsonrpc":"2.0","id":77,"method":"ping","params":"x"}', INVALID_PARAMS, (ID,)),
    ("a notification without jsonrpc", b'{"method":"notifications/initialized"}', INVALID_REQUEST, NULL),
    ("a notification with a number as method", b'{"jsonrpc":"2.0","method":1,"params":"bar"}', INVALID_REQUEST, NULL),
    ("an answer that is none", b'{"jsonrpc":"2.0","id":77,"result":5}', INVALID_REQUEST, NULL),
]  # fmt: skip
# what is well formed and yet wrong: told by the SDK
WRONG: list[tuple[str, bytes, int]] = [
    ("unknown method", b'{"jsonrpc":"2.0","id":77,"method":"no/such"}', METHOD_NOT_FOUND),
    ("no tool named", b'{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{}}', INVALID_PARAMS),
    ("arguments as a list", b'{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"gc","arguments":[]}}', INVALID_PARAMS),
    ("meta as a number", b'{"jsonrpc":"2.0","id":77,"method":"tools/list","params":{"_meta":5}}', INVALID_PARAMS),
]  # fmt: skip
# what needs no answer, or what is taken as it is meant
PASSED = {
    "an answer nobody asked for": b'{"jsonrpc":"2.0","id":5,"result":{}}',
    "an error nobody asked for": b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}',
    "an unknown notification": b'{"jsonrpc":"2.0","method":"notifications/none"}',
    "a notification of an unknown call": b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5}}',
    "a notification without its params": b'{"jsonrpc":"2.0","method":"notifications/cancelled"}',
}  # fmt: skip
PING = {"jsonrpc": "2.0", "method": "ping"}
LONG = b'{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"save_memory","arguments":{"content":"%s"}}}'


@pytest.fixture(scope="module")
def pipe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipe]:
    folder = tmp_path_factory.mktemp("frames")
    pipe = Pipe(empty_folder(folder), surroundings_in(folder))
    pipe.greet()
    yield pipe
    dispose(pipe)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("frames over http")
    with serving(empty_folder(folder), folder / "state") as running:
        yield running


@pytest.mark.parametrize(("sent", "code", "ids"), [each[1:] for each in BROKEN], ids=[each[0] for each in BROKEN])
def test_what_is_no_message_is_answered_over_the_pipe(
    pipe: Pipe, sent: bytes, code: int, ids: tuple[object, ...]
) -> None:
    pipe.send(sent)
    pipe.request("ping")
    answers = [pipe.answer() for _ in range(len(ids) + 1)]
    refused = [each for each in answers if "error" in each]
    assert [(each["id"], each["error"]["code"]) for each in refused] == [(each, code) for each in ids]
    assert [each["result"] for each in answers if each not in refused] == [{}]


@pytest.mark.parametrize(("sent", "code", "ids"), [each[1:] for each in BROKEN], ids=[each[0] for each in BROKEN])
def test_what_is_no_message_is_answered_over_http(
    served: Served, sent: bytes, code: int, ids: tuple[object, ...]
) -> None:
    for headers in ({}, {"Mcp_Protocol_Version": "2026-07-28", "Mcp_Method": "ping"}):
        status, body = served.post(sent, **headers)
        answer = json.loads(body)
        assert (status, answer["id"], answer["error"]["code"]) == (400, ids[0], code)
    assert served.post()[0] == 200


@pytest.mark.parametrize(("sent", "code"), [each[1:] for each in WRONG], ids=[each[0] for each in WRONG])
def test_a_message_that_asks_for_nothing_there_is_gets_an_error(pipe: Pipe, sent: bytes, code: int) -> None:
    pipe.send(sent)
    answer = pipe.answer()
    assert (answer["id"], answer["error"]["code"]) == (ID, code)


@pytest.mark.parametrize("sent", PASSED.values(), ids=PASSED)
def test_what_needs_no_answer_gets_none(pipe: Pipe, sent: bytes) -> None:
    pipe.send(sent)
    pipe.request("ping")
    assert pipe.answer()["result"] == {}


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r", b"\n\n \n\r\n"])
def test_every_way_to_end_a_line_ends_one(pipe: Pipe, end: bytes) -> None:
    for number in ("a", "b"):
        pipe.stdin.write(json.dumps({**PING, "id": number}).encode() + end)
    pipe.stdin.flush()
    assert [pipe.answer()["id"] for _ in "ab"] == ["a", "b"]


@pytest.mark.parametrize(
    ("sent", "known"),
    [
        (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":77,"method":"ping"}', ID),
        (b' \t{ "id" : "77" , "jsonrpc":"2.0","method":"ping" , "method":"ping"} ', "77"),
        (b'{"jsonrpc":"2.0","id":77,"method":"ping","id":78}', 78),
        (rb'{"jsonrpc":"2.0","id":"\ud83d\ude00 \u0000","method":"ping"}', "\U0001f600 \x00"),
        (b'{"jsonrpc":"2.0","id":-1,"method":"ping","params":null}', -1),
        (b'{"jsonrpc":"2.0","id":1' + b"0" * 300 + b',"method":"ping"}', 10**300),
        (b'{"jsonrpc":"2.0","id":"","method":"ping","params":{"x":1e999,"y":' + b"9" * 400 + b"}}", ""),
    ],
    ids=["byte order mark", "spaces and a name twice", "two ids", "pair and NUL", "negative", "huge id", "huge number"],
)
def test_what_is_odd_and_yet_a_message_is_served(pipe: Pipe, sent: bytes, known: object) -> None:
    pipe.send(sent)
    answer = pipe.answer()
    assert (answer["id"], answer["result"]) == (known, {})


def test_an_id_that_comes_again_is_answered_again(pipe: Pipe) -> None:
    for _ in range(3):
        pipe.send(json.dumps({**PING, "id": "again"}).encode())
    assert [pipe.answer()["id"] for _ in range(3)] == ["again"] * 3


@pytest.mark.slow
def test_a_line_of_10_megabytes_is_answered(pipe: Pipe) -> None:
    pipe.send(LONG % (b"x" * 10_000_000))
    answer = pipe.answer()
    assert answer["id"] == ID
    assert answer["result"]["isError"]
    pipe.request("ping")
    assert pipe.answer()["result"] == {}


def test_a_line_that_grows_too_long_is_answered_and_not_kept(pipe: Pipe) -> None:
    pipe.send(LONG % (b"x" * (LONGEST_LINE + 1_000_000)))
    answer = pipe.answer()
    assert (answer["id"], answer["error"]["code"]) == (ID, INVALID_REQUEST)
    pipe.request("ping")
    assert pipe.answer()["result"] == {}


def test_requests_before_the_greeting_are_answered(tmp_path: Path) -> None:
    pipe = Pipe(empty_folder(tmp_path), surroundings_in(tmp_path))
    try:
        pipe.send(b"\xff{]")
        assert pipe.answer()["error"]["code"] == PARSE_ERROR
        for method in ("tools/list", "tools/call", "no/such"):
            pipe.request(method)
            assert "error" in pipe.answer(), method
        pipe.request("ping")
        assert pipe.answer()["result"] == {}
        assert "result" in pipe.greet()
        assert not pipe.call("save_memory", content="Saved after all that.")["isError"]
    finally:
        dispose(pipe)


def test_a_byte_order_mark_over_http_is_passed_over(served: Served) -> None:
    assert served.post(b"\xef\xbb\xbf" + json.dumps(HELLO).encode())[0] == 200


@settings(max_examples=settings().max_examples, deadline=None)
@given(
    st.binary()
    | st.text().map(str.encode)
    | st.text(alphabet='{}[]":,\\u0id1.tru \ud83d').map(lambda s: s.encode("utf-8", "replace"))
)
def test_anything_is_either_a_message_or_has_an_answer(raw: bytes) -> None:
    frame = read_frame(raw)
    assert (frame.text is None) == bool(frame.answers)
    for answer in frame.answers:
        told = json.loads(answer)
        assert told["error"]["code"] in (PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS)
        assert told["jsonrpc"] == "2.0"
        assert "id" in told


@settings(max_examples=settings().max_examples, deadline=None)
@given(st.integers(0, 200), st.booleans(), st.sampled_from(['"\\ud83d"', "NaN", '"', "[[", "}", "\\"]))
def test_the_id_of_a_request_is_read_however_it_is_broken(place: int, last: bool, broken: str) -> None:
    known = f'"id":{place}'
    rest = f'"jsonrpc":"2.0","method":"x","params":{{"id":5,"y":{broken}}}'
    text = "{" + (f"{rest},{known}" if last else f"{known},{rest}") + "}"
    answers = [json.loads(each)["id"] for each in read_frame(text.encode()).answers]
    assert answers in ([place], [None])
    assert answers == [place] or last
