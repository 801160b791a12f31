"""Records by schemas of a registry: Confluent's, Karapace's, or `moldau registry`.

    from moldau.client import Producer
    from moldau.client.schemas import RegistryClient, SchemaSerializer

    with RegistryClient("http://localhost:8081") as registry:
        serializer = SchemaSerializer(registry, ORDER)
        with Producer("localhost:9092", value_serializer=serializer) as producer:
            producer.send("orders", {"id": 1, "what": "tea"})

Serializers and deserializers are what `value_serializer` and its kin take. They ask the registry
once for each schema, and what they ask is in `calls`. The languages themselves are in
`moldau.schemas`.

Reading order: settings, calls (the registry by HTTP), registry (the same, blocking), kept (what is
not asked for twice), associated (subjects that it has for topics), migrations, serializing,
deserializing, cel and jsonata (rules in these languages), dead_letters (what rules refuse),
encryption (of fields, by rules), topics (values of a type).
"""

from typing import TYPE_CHECKING

from moldau.platform.lazy_names import lazy_names

if TYPE_CHECKING:
    from moldau.client.schemas.associated import AssociatedSubject
    from moldau.client.schemas.calls import RegisteredSchema, RegistryCalls, RegistryError
    from moldau.client.schemas.cel import CelRules
    from moldau.client.schemas.dead_letters import DeadLetters
    from moldau.client.schemas.deserializing import SchemaDeserializer
    from moldau.client.schemas.encryption.executor import FieldEncryption
    from moldau.client.schemas.encryption.key_managers import KeyManager, LocalKeyManager
    from moldau.client.schemas.jsonata import JsonataRules
    from moldau.client.schemas.registry import RegistryClient
    from moldau.client.schemas.serializing import SchemaSerializer
    from moldau.client.schemas.settings import RegistrySettings
    from moldau.client.schemas.topics import RegisteredTopic
    from moldau.schemas.data_errors import DataError
    from moldau.schemas.model import Reference, SchemaText
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "client.schemas.associated": "AssociatedSubject",
            "client.schemas.calls": "RegisteredSchema RegistryCalls RegistryError",
            "client.schemas.cel": "CelRules",
            "client.schemas.dead_letters": "DeadLetters",
            "client.schemas.deserializing": "SchemaDeserializer",
            "client.schemas.encryption.executor": "FieldEncryption",
            "client.schemas.encryption.key_managers": "KeyManager LocalKeyManager",
            "client.schemas.jsonata": "JsonataRules",
            "client.schemas.registry": "RegistryClient",
            "client.schemas.serializing": "SchemaSerializer",
            "client.schemas.settings": "RegistrySettings",
            "client.schemas.topics": "RegisteredTopic",
            "schemas.data_errors": "DataError",
            "schemas.model": "Reference SchemaText",
        },
    )

__all__ = [
    "AssociatedSubject",
    "CelRules",
    "DataError",
    "DeadLetters",
    "FieldEncryption",
    "JsonataRules",
    "KeyManager",
    "LocalKeyManager",
    "Reference",
    "RegisteredSchema",
    "RegisteredTopic",
    "RegistryCalls",
    "RegistryClient",
    "RegistryError",
    "RegistrySettings",
    "SchemaDeserializer",
    "SchemaSerializer",
    "SchemaText",
]
