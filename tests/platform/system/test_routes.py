"""From where this machine is seen by another."""

from __future__ import annotations

import ipaddress
import socket

import pytest

from moldau.platform.system.routes import address_towards, outward_address


def test_towards_this_machine_it_is_loopback():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert address_towards("127.0.0.1", listener.getsockname()[1], 10) == "127.0.0.1"


def test_without_a_listener_it_is_an_error():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(OSError, match="refused"):
        address_towards("127.0.0.1", port, 10)


def test_the_way_out_begins_at_an_address_of_this_machine():
    ours = outward_address()
    ipaddress.ip_address(ours)
    with socket.create_server((ours, 0)) as listener:
        assert listener.getsockname()[0] == ours
