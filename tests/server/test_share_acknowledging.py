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
    assert checked(batch(3, 5, 1), may_renew=False) == Acknowledgement(3, 5, [1])
    assert checked(batch(3, 5, 1, 2, 0), may_renew=False).types == [1, 2, 0]


@pytest.mark.parametrize(
    ("may_renew", "told"),
    [
        (True, batch(5, 4, 1)),
        (True, batch(-1, 4, 1)),
        (True, batch(0, 4)),
        (True, batch(0, 4, 1, 1)),
        (True, batch(0, 4, 5)),
        (False, batch(0, 4, 4)),
    ],
)
def test_what_makes_no_sense_is_refused(may_renew, told):
    with pytest.raises(KafkaError):
        checked(told, may_renew=may_renew)


def test_who_has_said_so_may_renew():
    assert checked(batch(0, 4, 4), may_renew=True).types == [4]
