"""The admin client of a program with one thread that asks a few things and ends, as tools do."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from moldau.client.admin import NewTopic
from moldau.client.errors import ClosedError, TimedOutError, UnreachableError
from moldau.client.sync.admin.callers import CallersAdmin
from moldau.client.sync.callers_loop import CallersClientLoop

HEAVY = ("asyncio", "dataclasses", "inspect", "logging", "ssl", "concurrent.futures", "subprocess")
"""What takes long to import."""


def test_an_admin_client_asks_brokers_without_a_thread(broker, topic):
    with CallersAdmin({"bootstrap.servers": broker}) as admin:
        admin.create_topics([NewTopic(topic, 3)]).all()
        assert "moldau-admin" not in {thread.name for thread in threading.enumerate()}
        assert topic in admin.list_topics()
        assert len(admin.describe_topics(topic)[topic].partitions) == 3
    with pytest.raises(ClosedError, match="admin client is closed"):
        admin.list_topics()


def test_where_no_broker_answers_it_gives_up_in_time():
    given = {"bootstrap.servers": "127.0.0.1:1", "default.api.timeout.ms": "300"}
    with CallersAdmin(given) as admin, pytest.raises((TimedOutError, UnreachableError)):
        admin.list_topics()


def test_with_a_login_it_has_the_loop_that_can_do_it():
    given = {"bootstrap.servers": "127.0.0.1:1", "security.protocol": "SSL"}
    with CallersAdmin(given) as admin:
        assert not isinstance(admin._loop, CallersClientLoop)


def test_a_tool_that_asks_a_cluster_imports_nothing_heavy(our_node, topic):
    listing = ["topics", "--bootstrap-server", our_node.bootstrap, "--list"]
    program = (
        "import sys; from moldau.programs.tools.main import main; "
        f"sys.argv[1:] = {listing!r}; code = main(); "
        f"sys.exit(code or ', '.join(name for name in {HEAVY!r} if name in sys.modules) or 0)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
