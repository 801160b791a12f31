"""A topic whose values are of a type, and whose schema the registry has."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from moldau.client.errors import SerializationError
from moldau.client.schemas.deserializing import SchemaDeserializer
from moldau.client.schemas.registry import RegistryClient
from moldau.client.schemas.serializing import SchemaSerializer
from moldau.client.serializers import Topic
from moldau.schemas.of_types import made_as, schema_of_type

__all__ = ["RegisteredTopic"]

Value = TypeVar("Value")


class RegisteredTopic(Topic[Value], Generic[Value]):
    """A `Topic` that registers the schema of its type with the first value.

        orders = RegisteredTopic("orders", Order, registry)
        producer.send(orders.name, orders.dump(Order(1, "tea")))
        order = orders.load(record.value)

    A dataclass is written as Avro, a model of pydantic by its JSON Schema.
    """

    def __init__(self, name: str, kind: type[Value], registry: RegistryClient) -> None:
        super().__init__(name, kind)
        schema = schema_of_type(kind)
        self._serializer = SchemaSerializer(registry, schema)
        self._deserializer = SchemaDeserializer(registry, schema)

    def dump(self, value: Value) -> bytes:
        if not isinstance(value, self.kind):
            raise SerializationError(
                f"{self.name} has values of {self.kind.__name__}, and {value!r} is none"
            )
        data = self._serializer(self.name, value)
        assert data is not None, "a value is not None"
        return data

    def load(self, data: bytes) -> Value:
        """As the type has it now: by the rules of its language, from whatever wrote it."""
        found: Any = self._deserializer(self.name, data)
        try:
            return made_as(self.kind, found)  # type: ignore[no-any-return]
        except (TypeError, ValueError, LookupError) as error:
            raise SerializationError(
                f"a record of {self.name} is no {self.kind.__name__}: {error}"
            ) from error
