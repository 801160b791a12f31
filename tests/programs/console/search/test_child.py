"""What a search's process answers; how it is bounded and ends is in test_process."""

from typing import Any

import pytest

from moldau.programs.console.search import child
from moldau.programs.console.search.child import TOO_LARGE, Search
from moldau.programs.console.search.decoded import SearchFormats


class Recorded:
    """The process that started it: it has sent the query and the end, and keeps the answers."""

    def __init__(self, text):
        formats = {"formats": SearchFormats().sent(), "kept": "", "check_checksums": True}
        self._query = {"kind": "query", "text": text, "masks": [], **formats}
        self._take: Any = None
        self.sent = []

    def follow(self, take):
        self._take = take
        take(self._query, b"")

    def send(self, head, body=b""):
        if head["kind"] == "plan":
            self._take({"kind": "end"}, b"")
        self.sent.append((head, body))


def answers(text):
    caller: Any = Recorded(text)
    Search(caller).run()
    return caller.sent


def test_the_plan_comes_before_the_result():
    (plan, _), (result, rows) = answers("select count(*) as n from t where partition = 3")
    assert (plan["kind"], plan["topic"], plan["bounds"][0]) == ("plan", "t", 3)
    assert result == {"kind": "result"}
    assert rows == b'{"columns":["n"],"rows":[[0]],"is_cut":false}'


@pytest.mark.parametrize("text", ["select", "select 1", "select 1 from t; select 1 from t"])
def test_what_is_no_search_is_refused_before_anything_is_read(text):
    ((refusal, _),) = answers(text)
    assert (refusal["kind"], refusal["status"]) == ("failed", 400)


def test_a_result_that_is_too_large_is_a_sentence(monkeypatch):
    monkeypatch.setattr(child, "RESULT_BYTES_MAX", 20)
    _, (refusal, _) = answers("select count(*) as n from t")
    assert refusal["message"] == TOO_LARGE
