"""A node inside a program."""

from __future__ import annotations

import asyncio
import socket

import pytest

from moldau.errors import MoldauError
from moldau.system.files import SystemFiles
from moldau.testing import Node


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

    with pytest.raises(MoldauError, match=r"num\.partitions"):
        asyncio.run(main())


def test_what_goes_wrong_elsewhere_on_the_loop_is_not_the_nodes_failure():
    async def main():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, context: None)
        async with Node() as node:
            loop.call_exception_handler({"message": "somebody else's"})
            await asyncio.sleep(0)
            return node.node.bugs

    assert asyncio.run(main()) == 0
