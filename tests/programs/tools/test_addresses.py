"""Addresses and ports of flags."""

from argparse import ArgumentTypeError

import pytest

from moldau.platform.ports.network import Address
from moldau.programs.tools.addresses import address, port


def test_an_address_of_ipv6_is_in_brackets():
    assert address("[::1]:8081") == Address("::1", 8081)
    assert address("localhost:0") == Address("localhost", 0)


@pytest.mark.parametrize("text", ["8081", "::1:8081", "a/b:1", "a:x"])
def test_what_is_no_address_is_refused(text):
    with pytest.raises(ArgumentTypeError):
        address(text)


def test_a_port_is_a_number_below_65536():
    assert port("65535") == 65535
    with pytest.raises(ArgumentTypeError):
        port("65536")
