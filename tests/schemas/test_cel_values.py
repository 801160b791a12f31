"""Values of our languages are values of CEL, and plain ones again."""

from __future__ import annotations

import datetime
import uuid

import pytest

pytest.importorskip("celpy", reason="cel-python is not installed")

from moldau.schemas.cel_values import from_cel, moment_to_cel, to_cel

VALUE = {"s": "a", "b": b"b", "t": True, "i": 1, "f": 1.5, "n": None, "l": [1, {"x": "y"}]}


def test_values_come_back_plain():
    found = from_cel(to_cel(VALUE))
    assert found == VALUE
    assert [type(one) for one in found.values()] == [type(one) for one in VALUE.values()]


def test_days_ids_and_moments():
    assert from_cel(to_cel(datetime.date(1970, 1, 3))) == 2
    number = uuid.UUID(int=1)
    assert from_cel(to_cel(number)) == str(number)
    moment = datetime.datetime(1970, 1, 1, 0, 0, 1, tzinfo=datetime.UTC)
    assert moment_to_cel(1000) == to_cel(moment)
