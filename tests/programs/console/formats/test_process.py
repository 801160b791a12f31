"""The processes of a format: none is left, and none takes more than its own request."""

from __future__ import annotations

import asyncio

import pytest

from moldau.config.refusals import SettingError
from moldau.platform.system.tasks import run
from moldau.programs.console.formats import process
from moldau.programs.console.formats.process import PROCESSES_MAX, FormatProcesses
from tests.programs.console.formats.test_called import BY_FUNCTIONS


def on_processes(work, declared=BY_FUNCTIONS):
    """What `work` returns; nothing is left of the processes."""

    async def main(tasks):
        processes = FormatProcesses(declared, tasks)
        try:
            return await work(processes)
        finally:
            await processes.close()
            assert all(one.has_ended for one in processes._begun)

    return run(main)


def decoded(*data):
    return on_processes(lambda processes: processes.decoded("t", data))


def test_what_it_loads_is_what_it_offers():
    offer = on_processes(lambda processes: processes.load())
    assert (offer.name, offer.parts, offer.encodes) == ("x", ("key", "value"), True)


def test_code_that_ends_its_process_costs_that_record_and_no_other():
    first, dead, last, wrong, other = decoded(b"a", b"die", b"b", b"nonsense", b"text")
    assert None not in (first.data, last.data)
    assert other.data == b"as it is"
    assert "ended with exit code 9" in dead.reason
    assert "wrote what is no message" in wrong.reason
    assert dead.reason.endswith("choose another format, or mend formats.x")


def test_code_that_ends_many_processes_is_given_up():
    found = decoded(*[b"die"] * 40)
    assert len(found) == 40
    assert {one.data for one in found} == {None}


def test_memory_is_bounded():
    greedy, other = decoded(b"memory", b"text")
    assert "more memory than its process may have" in greedy.reason
    assert other.data == b"as it is"


def test_what_heeds_no_signal_is_ended_with_its_process(monkeypatch):
    monkeypatch.setattr(process, "REQUEST_MS", 3000)
    first, endless, last = decoded(b"text", b"swallow", b"text")
    assert first.data == b"as it is"
    assert endless == last
    assert "it took 3 s" in endless.reason


def test_a_request_that_hangs_holds_up_no_other():
    async def work(processes):
        hanging = asyncio.ensure_future(processes.decoded("t", [b"swallow"]))
        (found,) = await processes.decoded("t", [b"text"])
        assert not hanging.done()
        hanging.cancel()
        return found

    assert on_processes(work).data == b"as it is"


def test_more_requests_at_once_than_there_may_be_processes_are_sentences():
    async def work(processes):
        asked = [processes.decoded("t", [b"text"]) for _ in range(PROCESSES_MAX + 1)]
        return [one.reason for (one,) in await asyncio.gather(*asked)]

    *others, last = on_processes(work)
    assert others == [None] * PROCESSES_MAX
    assert "show this one again in a moment" in last


def test_one_process_serves_requests_that_follow_each_other():
    async def work(processes):
        for _ in range(3):
            await processes.decoded("t", [b"text"])
        return len(processes._begun)

    assert on_processes(work) == 1


def test_text_is_encoded_or_refused():
    async def work(processes):
        return [await processes.encoded("t", text) for text in ("a", "none")]

    good, bad = on_processes(work)
    assert good.data == b"t:a"
    assert "it has to return bytes" in bad.reason


def test_code_that_ends_its_process_while_it_is_imported_is_refused():
    declared = BY_FUNCTIONS._replace(decode="tests.programs.console.formats.deadly:decode")
    with pytest.raises(SettingError, match="while it was imported"):
        on_processes(lambda processes: processes.load(), declared)


def test_once_closed_it_starts_none():
    async def work(processes):
        await processes.close()
        return await processes.decoded("t", [b"a"])

    (found,) = on_processes(work)
    assert found.reason == "the console ends"
