"""What an address stands for on this machine."""

from __future__ import annotations

import errno
import socket

import pytest

from moldau.errors import AddressRefusesError, HostUnknownError, NetworkError
from moldau.platform.ports.network import Address
from moldau.platform.system.places import places_of, refusal, written_out


def test_an_address_in_digits_needs_no_names():
    assert written_out(Address("127.0.0.1", 9092)) == [(socket.AF_INET, ("127.0.0.1", 9092))]
    assert written_out(Address("localhost", 9092)) == []
    assert written_out(Address("h\u00fct.invalid", 9092)) == []


def test_a_name_has_its_places():
    assert (socket.AF_INET, ("127.0.0.1", 9092)) in places_of(Address("localhost", 9092))


@pytest.mark.parametrize("host", ["a..b", "x" * 64 + ".example"])
def test_what_can_be_no_name_is_an_unknown_host(host):
    with pytest.raises(HostUnknownError, match="no host can have this name"):
        places_of(Address(host, 9092))


def test_a_port_that_is_none_is_refused():
    with pytest.raises(NetworkError, match="from 0 to 65535"):
        places_of(Address("127.0.0.1", 70_000))


def test_each_refusal_has_its_class_and_the_systems_words():
    address = Address("h", 1)
    assert isinstance(refusal(address, OSError(errno.ECONNREFUSED, "x")), AddressRefusesError)
    assert "connection refused" in str(refusal(address, OSError(errno.ECONNREFUSED, "x")))
    assert isinstance(refusal(address, socket.gaierror(-2, "Name unknown")), HostUnknownError)
    assert str(refusal(address, OSError(errno.EACCES, "x"), "; do so")).endswith("denied; do so")
