"""Choices are as small as they can be."""

from __future__ import annotations

import pytest

from moldau.schemas.shapes.model import ANY, NULL, Choice, Nullable, Scalar, Struct, choice_of

INT, TEXT = Scalar("int"), Scalar("string")


@pytest.mark.parametrize(
    ("branches", "found"),
    [
        ([], NULL),
        ([NULL, NULL], NULL),
        ([INT, INT], INT),
        ([NULL, INT], Nullable(INT)),
        ([INT, TEXT], Choice((INT, TEXT))),
        ([Nullable(Choice((INT, TEXT))), INT], Nullable(Choice((INT, TEXT)))),
        ([INT, ANY, NULL], ANY),
    ],
)
def test_a_choice_has_each_shape_once_and_null_outside(branches, found):
    assert choice_of(branches) == found


def test_a_struct_is_no_other_with_the_same_name():
    assert Struct("A") != Struct("A")
    assert repr(Struct("A")) == "Struct(A: )"
