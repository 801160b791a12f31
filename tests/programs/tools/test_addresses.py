"""Addresses and ports of flags."""

from argparse import ArgumentTypeError

import pytest

from moldau.platform.ports.network import Address
from moldau.programs.tools.addresses import address, port, site


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


def test_a_site_is_a_url_without_a_login():
    assert site("http://rest-1") == "http://rest-1"
    assert site("https://[::1]:8082/below") == "https://[::1]:8082/below"


@pytest.mark.parametrize(
    "text", ["rest-1:8082", "ftp://a", "http://", "http://u:p@a", "http://a:x", "http://a/?q", ""]
)
def test_what_is_no_site_is_refused(text):
    with pytest.raises(ArgumentTypeError):
        site(text)
