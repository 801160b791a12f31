"""Ranges that members speak of have to make sense by themselves."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from moldau.coordinator.share.partition.acknowledging import Acknowledgement
from moldau.errors import KafkaError
from moldau.server.share_acknowledging import checked


def batch(first, last, *types):
    return SimpleNamespace(first_offset=first, last_offset=last, acknowledge_types=list(types))


def test_one_word_for_all_or_one_for_each():
    assert checked(batch(3, 5, 1), 1) == Acknowledgement(3, 5, [1])
    assert checked(batch(3, 5, 1, 2, 0), 1).types == [1, 2, 0]


@pytest.mark.parametrize(
    ("version", "told"),
    [
        (2, batch(5, 4, 1)),
        (2, batch(-1, 4, 1)),
        (2, batch(0, 4)),
        (2, batch(0, 4, 1, 1)),
        (2, batch(0, 4, 5)),
        (1, batch(0, 4, 4)),
    ],
)
def test_what_makes_no_sense_is_refused(version, told):
    with pytest.raises(KafkaError):
        checked(told, version)


def test_renewal_is_known_from_version_2_on():
    assert checked(batch(0, 4, 4), 2).types == [4]
