"""A search's process: what a query may take of it, and that it is never left behind."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import time
from pathlib import Path
from urllib.parse import quote

import pytest

from moldau.programs.console.search.process import PROCESS_MB, SearchProcesses
from moldau.programs.console.values.masking import Mask, Masks
from moldau.programs.http.messages import HttpError

CHILD = b"moldau.programs.console.search.child"
GREEDY = "select length(printf('%1000000000d', i)) from range(3) o(i), "
"""4 GB, of which DuckDB counts nothing."""
ENDLESS = "select sum(a.i * b.i) from range(10000000) a(i), range(10000000) b(i), "
GROWN_MB_MAX = 50


def memory_mb(process, field):
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition(f"{field}:")[2].split()[0]) / 1024


def children_of(process):
    """The processes of searches that it started."""
    found = []
    for one in Path("/proc").iterdir():
        try:
            is_ours = one.name.isdecimal() and CHILD in (one / "cmdline").read_bytes()
            if is_ours and f"\nPPid:\t{process}\n" in (one / "status").read_text():
                found.append(int(one.name))
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


def wait_until_none(process):
    while children_of(process):  # the test's own limit of time ends it otherwise
        time.sleep(0.01)


def begun(console, query):
    """The connection, once the first event has come, and what reads the others.

    Processes of searches before it may just be ending, and are waited for.
    """
    wait_until_none(console.process.pid)
    link = http.client.HTTPConnection(console.place)
    link.request("GET", f"/api/search?query={quote(query)}")
    answer = link.getresponse()
    assert answer.status == 200, answer.read()
    assert answer.readline().startswith(b"event: progress")
    return link, answer


def sentence(answer):
    *_, last = (line for line in answer if line.startswith(b"data: "))
    return json.loads(last.removeprefix(b"data: "))["message"]


def on_processes(work):
    """What `work` returns for a search; how often it ended is checked."""

    async def main():
        ended, processes = [], SearchProcesses()
        try:
            run = await processes.start(lambda: ended.append(1))
            return await work(run)
        finally:
            await processes.close()
            assert ended == [1]
            assert run.has_ended

    return asyncio.run(main())


def test_a_query_that_takes_memory_uncounted_is_a_sentence_and_the_node_stays_small(console, topic):
    console.send(topic, "a")
    node = console.process.pid
    Path(f"/proc/{node}/clear_refs").write_text("5")
    before = memory_mb(node, "VmRSS")
    link, answer = begun(console, GREEDY + f'"{topic}"')
    assert "memory" in (found := sentence(answer)), found
    assert "arrow" in found, "how to narrow it"
    link.close()
    assert memory_mb(node, "VmHWM") - before < GROWN_MB_MAX
    wait_until_none(node)


def test_a_search_that_is_left_ends_its_process(console, topic):
    console.send(topic, "a")
    node = console.process.pid
    link, _ = begun(console, ENDLESS + f'"{topic}"')
    assert len(children_of(node)) == 1
    link.close()
    wait_until_none(node)


def test_a_process_that_is_killed_is_one_sentence_with_its_bound(console, topic):
    console.send(topic, "a")
    link, answer = begun(console, ENDLESS + f'"{topic}"')
    (child,) = children_of(console.process.pid)
    os.kill(child, signal.SIGKILL)
    found = sentence(answer)
    assert "killed by SIGKILL" in found
    assert f"{PROCESS_MB} MB" in found
    link.close()


def test_what_no_one_waits_for_any_more_has_ended_once_it_is_closed():
    async def work(run):
        await run.planned(ENDLESS + "t", Masks(), check_checksums=True)

    on_processes(work)


def test_a_query_that_is_nested_too_deeply_is_a_sentence():
    query = "select " + " + ".join("1" * 900) + " from t"

    async def work(run):
        with pytest.raises(HttpError) as found:
            await run.planned(query, Masks(), check_checksums=True)
        return str(found.value)

    assert "deep" in on_processes(work)


def test_masks_hold_in_the_process_too_and_the_plan_is_what_the_query_needs():
    query = """select key from "t" where "offset" > 3 and timestamp > '1970-01-01 00:00:01'"""

    async def work(run):
        masks = Masks([Mask("t*", frozenset("a"))])
        plan = await run.planned(query, masks, check_checksums=True)
        await run.feed(None)
        return plan, json.loads(await run.run())

    (topic, bounds, since_ms), found = on_processes(work)
    assert (topic, bounds.start, since_ms) == ("t", 4, 1000)
    assert found == {"columns": ["key"], "rows": [], "is_cut": False}
