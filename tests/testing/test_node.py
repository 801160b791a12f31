"""A node inside a program."""

from __future__ import annotations

import asyncio
import socket
import tempfile
import threading
from pathlib import Path

import pytest

from moldau.errors import MoldauError
from moldau.platform.system.files import SystemFiles
from moldau.testing import Node


@pytest.fixture(autouse=True)
def own_place_for_temporary_things(tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))


def temporary_directories():
    return sorted(Path(tempfile.gettempdir()).iterdir())


def test_a_node_is_moved_on_in_time():
    with Node() as node:
        before_ms = node._clock.now_ms()
        node.travel(days=1, hours=1, minutes=1, seconds=1)
        assert node._clock.now_ms() - before_ms >= 90_061_000


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
    before = set(threading.enumerate())
    with Node() as node, Node() as other:
        for one in (node, other):
            host, _, port = one.bootstrap.rpartition(":")
            socket.create_connection((host, int(port))).close()
        directory = node.data_directory
    assert SystemFiles().status(directory) is None
    left = set(threading.enumerate()) - before
    assert "moldau-node" not in [thread.name for thread in left]


def test_it_may_be_made_where_a_loop_runs_already():
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


def test_a_list_is_a_setting_too(tmp_path):
    directories = [tmp_path / "one", tmp_path / "two"]
    with Node(tmp_path / "one", settings={"log.dirs": directories}) as node:
        assert node.node.settings.directories == tuple(map(str, directories))


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("num.partition", "num.partitions"),
        ("num_partitions", "num.partitions"),
        ("retention.ms", "log.retention.ms"),
    ],
)
def test_a_name_that_is_no_setting_is_refused_with_the_nearest_one(name, nearest):
    with pytest.raises(MoldauError, match=rf"^{name} is no setting \(did you mean {nearest}\?\)$"):
        Node(settings={name: 3})


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (("num.partitions=3",), "settings are a mapping"),
        (({1: 2},), "the name of a setting is text"),
    ],
)
def test_settings_that_are_no_settings_are_refused(given, sentence):
    with pytest.raises(MoldauError, match=sentence):
        Node(settings=given[0])


def test_settings_in_the_place_of_the_directory_are_refused_with_the_right_place():
    with pytest.raises(MoldauError, match=r"data_directory is a path, .* given by settings="):
        Node({"num.partitions": 3})  # type: ignore[arg-type]
    with pytest.raises(MoldauError, match="leave it out for a temporary one"):
        Node("")


def test_a_node_that_is_not_running_has_no_address():
    node = Node()
    assert repr(node) == "<Node, not running in no directory>"
    with pytest.raises(MoldauError, match="inside of its `with` or `async with`"):
        _ = node.bootstrap
    with pytest.raises(MoldauError, match="the node is not running"):
        node.__exit__(None, None, None)
    with node:
        assert node.bootstrap
    with pytest.raises(MoldauError, match="the node is not running"):
        _ = node.bootstrap


def test_a_node_that_is_started_twice_is_refused_and_runs_on():
    async def again(node):
        async with node:
            pass

    with Node() as node:
        with pytest.raises(MoldauError, match="is running already: make another one"), node:
            pass
        with pytest.raises(MoldauError, match="is running already: make another one"):
            asyncio.run(again(node))
        host, _, port = node.bootstrap.rpartition(":")
        socket.create_connection((host, int(port))).close()


def test_a_node_that_has_stopped_can_be_started_again(tmp_path):
    node = Node(tmp_path)
    with node:
        first = node.node.broker.cluster_id
    with node:
        assert node.node.broker.cluster_id == first


def test_a_port_that_is_taken_is_named():
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(MoldauError, match=r"^127\.0\.0\.1:\d+: address already in use; "),
        Node(port=taken.getsockname()[1]),
    ):
        pass


@pytest.mark.parametrize("name", ["port", "metrics_port"])
@pytest.mark.parametrize("port", [-1, 99_999, "http", True])
def test_a_port_that_is_none_is_refused(name, port):
    with pytest.raises(MoldauError, match=f"^{name}={port!r}: a port is a number from 0 to 65535$"):
        Node(**{name: port})


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


def test_what_goes_wrong_elsewhere_on_the_loop_is_not_the_nodes_failure():
    async def main():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, context: None)
        async with Node() as node:
            loop.call_exception_handler({"message": "another's"})
            await asyncio.sleep(0)
            return node.node.bugs

    assert asyncio.run(main()) == 0
