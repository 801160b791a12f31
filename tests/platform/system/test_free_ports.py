"""Ports that are free."""

from __future__ import annotations

import socket

from moldau.platform.system.free_ports import free_ports

HOST = "127.0.0.1"


def test_ports_differ_and_can_be_listened_on():
    ports = free_ports(5, HOST)
    assert len(set(ports)) == 5
    for port in ports:
        with socket.create_server((HOST, port)):
            pass
