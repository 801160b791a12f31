"""A node inside a program."""

from __future__ import annotations

import asyncio
import socket
import tempfile
import threading
from pathlib import Path

import pytest

from moldau.errors import MoldauError
from moldau.system.files import SystemFiles
from moldau.testing import Node


@pytest.fixture(autouse=True)
def own_place_for_temporary_things(tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))


def temporary_directories():
    return sorted(Path(tempfile.gettempdir()).iterdir())


def test_several_nodes_run_at_a_time_and_leave_nothing_behind():
    async def main():
        async with Node() as first, Node() as second:
            for node in (first, second):
                host, _, port = node.bootstrap.rpartition(":")
                socket.create_connection((host, int(port))).close()
            return first.data_directory, second.data_directory, first.bootstrap, second.bootstrap

    *directories, one, other = asyncio.run(main())
    assert one != other
    assert [SystemFiles().status(directory) for directory in directories] == [None, None]


def test_a_directory_that_is_given_stays_and_is_found_again(tmp_path):
    async def cluster_id():
        async with Node(str(tmp_path)) as node:
            return node.node.broker.cluster_id

    assert asyncio.run(cluster_id()) == asyncio.run(cluster_id())


def test_a_node_that_cannot_start_says_why_and_tidies_up():
    async def main():
        async with Node(settings={"num.partitions": "none"}):
            pass

    before = temporary_directories()
    with pytest.raises(MoldauError, match=r"num\.partitions"):
        asyncio.run(main())
    assert temporary_directories() == before


def test_a_program_without_a_loop_gets_a_node_in_a_thread_of_its_own():
    with Node() as node, Node() as other:
        for one in (node, other):
            host, _, port = one.bootstrap.rpartition(":")
            socket.create_connection((host, int(port))).close()
        directory = node.data_directory
    assert SystemFiles().status(directory) is None
    assert "moldau-node" not in [thread.name for thread in threading.enumerate()]


def test_it_may_be_said_where_a_loop_runs_already():
    async def main():
        with Node() as node:
            return node.bootstrap

    assert asyncio.run(main()).startswith("127.0.0.1:")


def test_without_a_loop_too_it_says_why_it_cannot_start_and_the_programs_own_error_goes_on():
    with (
        pytest.raises(MoldauError, match=r"num\.partitions"),
        Node(settings={"num.partitions": ""}),
    ):
        pass
    with pytest.raises(ZeroDivisionError), Node():
        raise ZeroDivisionError


def test_settings_are_values_of_python_and_a_directory_is_any_path(tmp_path):
    given = {"num.partitions": 3, "auto.create.topics.enable": False}
    with Node(tmp_path, settings=given) as node:
        assert node.node.settings.num_partitions == 3
        assert node.node.settings.auto_create_topics_enable is False
        assert node.data_directory == str(tmp_path)


def test_a_name_that_is_no_setting_is_warned_about(caplog):
    with Node(settings={"num.partition": 3}):
        pass
    assert "num.partition is no setting" in caplog.text


def test_a_node_that_is_not_started_says_so():
    assert repr(Node()) == "<Node, not started in no directory>"
    with pytest.raises(MoldauError, match="`async with` does it"):
        _ = Node().bootstrap


def test_a_start_that_is_cancelled_leaves_nothing_behind():
    async def started():
        async with Node():
            await asyncio.sleep(60)

    async def main():
        for pause_s in (0, 0.01, 0.03, 0.1):
            task = asyncio.create_task(started())
            await asyncio.sleep(pause_s)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        return len(asyncio.all_tasks())

    before = temporary_directories()
    assert asyncio.run(main()) == 1
    assert temporary_directories() == before


def test_a_port_for_metrics_that_is_none_is_refused():
    with pytest.raises(MoldauError, match="a port is a number from 0 to 65535"):
        Node(metrics_port=99_999).__enter__()


def test_what_goes_wrong_elsewhere_on_the_loop_is_not_the_nodes_failure():
    async def main():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, context: None)
        async with Node() as node:
            loop.call_exception_handler({"message": "somebody else's"})
            await asyncio.sleep(0)
            return node.node.bugs

    assert asyncio.run(main()) == 0
