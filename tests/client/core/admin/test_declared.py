"""Arguments of calls of an admin client, held against what the calls declare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from moldau.client.core.admin.choices import GroupType
from moldau.client.core.admin.declared import declared, is_a
from moldau.client.core.admin.topics import AnyTopic, NewTopic
from moldau.client.errors import InvalidArgumentError
from moldau.client.topic_partition import TopicPartition

PART = TopicPartition("t", 0)


@declared
def asked(
    call: object, names: Iterable[str], count: int | None = None, *, flag: bool = False
) -> tuple[Any, ...]:
    return names, count, flag


def test_what_is_declared_goes_on_as_it_came():
    names = ["a"]
    assert asked(None, names, 3, flag=True) == (names, 3, True)
    assert asked(None, names=("a",)) == (("a",), None, False)


def test_an_iterator_is_looked_at_and_still_there():
    assert asked(None, (name for name in ("a", "b")))[0] == ["a", "b"]
    mixed: list[Any] = ["a", 7]
    with pytest.raises(InvalidArgumentError, match=r"Iterable\[str\], and not \['a', 7\]$"):
        asked(None, iter(mixed))


def test_a_single_name_is_no_list_of_names():
    with pytest.raises(InvalidArgumentError, match=r"and not 'abc': one alone is \['abc'\]$"):
        asked(None, "abc")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"names": 7}, "names takes Iterable[str], and not 7"),
        ({"names": [], "count": "3"}, "count takes int | None, and not '3'"),
        ({"names": [], "count": True}, "count takes int | None, and not True"),
        ({"names": [], "flag": None}, "flag takes bool, and not None"),
    ],
)
def test_the_argument_and_its_type_are_named(arguments, sentence):
    with pytest.raises(InvalidArgumentError) as caught:
        asked(None, **arguments)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("kind", "fit", "unfit"),
    [
        (int, np.int32(3), 2**63),
        (float, 1, "1"),
        (bytes, bytearray(b"x"), "x"),
        (str | None, None, b"x"),
        (Mapping[str, int | None], {"a": None}, {"a": "b"}),
        (Mapping[str, int], {}, {1: 1}),
        (Sequence[Sequence[int]], [[1], (2,)], [1]),
        (tuple[str, str], ("a", "b"), ("a", 1)),
        (tuple[int, ...], (1, 2), [1]),
        (tuple[str, int], PART, ("t",)),
        (TopicPartition, PART, ("t", 0)),
        (Iterable[GroupType | str], [GroupType.SHARE, "share"], [1]),
        (AnyTopic, NewTopic("a", 3, configs={"x": "y"}), NewTopic("a", "3")),  # type: ignore[arg-type]
        (Any, object(), None),
    ],
)
def test_types_are_known_as_a_type_checker_knows_them(kind, fit, unfit):
    assert is_a(kind, fit)
    assert is_a(kind, unfit) == (kind is Any)
