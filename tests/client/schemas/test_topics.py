"""Topics whose values are of a type."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from moldau.client.errors import SerializationError
from moldau.client.schemas import RegisteredTopic
from tests.client.schemas.simulated_registry import SimulatedRegistry


@dataclass
class Order:
    id: int
    what: str = "tea"


def test_the_schema_is_registered_with_the_first_value_and_read_by_its_rules():
    registry = SimulatedRegistry()
    orders = RegisteredTopic("orders", Order, registry)
    assert registry.subjects() == []
    data = orders.dump(Order(1))
    assert registry.subjects() == ["orders-value"]
    assert orders.load(data) == Order(1)

    @dataclass
    class Smaller:
        id: int

    Smaller.__name__ = "Order"
    assert RegisteredTopic("orders", Smaller, registry).load(data) == Smaller(1)


def test_what_is_no_value_of_the_type_is_refused():
    orders = RegisteredTopic("orders", Order, SimulatedRegistry())
    with pytest.raises(SerializationError, match="orders has values of Order"):
        orders.dump({"id": 1})  # type: ignore[arg-type]
    with pytest.raises(SerializationError, match="does not begin with the id"):
        orders.load(b"{}")
