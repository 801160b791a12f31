"""Where in a value something is wrong."""

from __future__ import annotations

from moldau.schemas.data_errors import DataError


def test_each_level_puts_its_name_in_front():
    error = DataError("it is missing").under("id").under("order")
    assert str(error) == "order.id: it is missing"
    assert str(DataError("it is wrong")) == "it is wrong"
