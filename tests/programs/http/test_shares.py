"""How much one place may have, and which one holds too much."""

import pytest

from moldau.programs.http.limits import Limits
from moldau.programs.http.shares import Shares, place_of


@pytest.mark.parametrize(
    ("host", "same"),
    [
        ("10.0.0.1", "::ffff:10.0.0.1"),
        ("2001:db8::1", "2001:db8::ffff:1"),
        ("fe80::1%eth0", "fe80::2%eth0"),
    ],
)
def test_a_place_is_what_one_client_has(host, same):
    assert place_of(host) == place_of(same)
    assert place_of(host) not in (place_of("10.0.0.2"), place_of("2001:db8:0:1::1"))


def test_one_place_has_its_part_and_all_have_the_whole():
    shares = Shares(Limits(held_bytes_max=100, place_parts=2))
    shares.hold("a", 50)
    assert shares.overloaded("a") is None
    shares.hold("a", 1)
    assert shares.overloaded("a") == "a"
    shares.hold("a", -1)
    shares.hold("b", 40)
    shares.hold("c", 11)
    assert shares.overloaded("c") == "a"
    shares.hold("a", -50)
    assert (shares.overloaded("c"), shares.held_bytes) == (None, 51)


def test_connections_of_one_place_leave_room_for_others():
    shares = Shares(Limits(connections_max=4, place_parts=2))
    for _ in range(2):
        assert not shares.is_crowded("a")
        shares.connect("a", 1)
    assert shares.is_crowded("a")
    assert not shares.is_crowded("b")
    shares.connect("a", -1)
    assert not shares.is_crowded("a")
