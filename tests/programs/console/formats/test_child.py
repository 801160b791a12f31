"""What the process of a format answers; how it ends is in test_process."""

from __future__ import annotations

from typing import Any

from moldau.programs.console.formats.child import FormatWork
from tests.programs.console.formats.test_called import BY_FUNCTIONS


class Recorded:
    """The process that started it keeps what it sends."""

    def __init__(self):
        self.sent = []

    def send(self, head, body=b""):
        self.sent.append((head, body))


def answers(*requests):
    caller: Any = Recorded()
    work = FormatWork(caller)
    for head, body in requests:
        work.answer(head, body)
    return caller.sent


LOAD = ({"kind": "load", "declared": BY_FUNCTIONS.sent()}, b"")


def test_it_says_what_it_has_loaded():
    ((loaded, _),) = answers(LOAD)
    assert loaded == {"kind": "loaded", "topics": None, "parts": ["key", "value"], "encodes": True}


def test_what_cannot_be_loaded_is_a_sentence():
    declared = BY_FUNCTIONS._replace(decode="no_such_module:f").sent()
    ((failed, _),) = answers(({"kind": "load", "declared": declared}, b""))
    assert failed["kind"] == "failed"
    assert "no_such_module cannot be imported" in failed["message"]


def test_each_of_a_request_has_its_answer_in_order():
    head = {"kind": "decode", "topic": "t", "sizes": [4, 0, 4]}
    _, *found = answers(LOAD, (head, b"textfail"))
    assert [one[0]["kind"] for one in found] == ["done", "done", "failed"]
    assert found[0][1] == b"as it is"


def test_text_is_encoded():
    _, (head, body) = answers(LOAD, ({"kind": "encode", "topic": "t"}, b"a"))
    assert (head, body) == ({"kind": "done"}, b"t:a")
