"""Where a broker looks up the schemas that records name."""

from __future__ import annotations

from moldau.config.key import Scope, maybe_text, secret
from moldau.config.settings import Settings


class SchemaKeys(Settings):
    """Declared by theme; see BrokerSettings. Their names are those of Confluent's server."""

    confluent_schema_registry_url = maybe_text(
        "The schema registry that records are held against where a topic has "
        "`confluent.value.schema.validation` or that of keys: http://HOST:PORT, several with "
        "commas between. A node that serves a registry itself looks into that one.",
        scope=Scope.CLUSTER,
        own=True,
    )
    confluent_basic_auth_user_info = secret(
        "The name and password, with a colon between, that the broker shows to that registry.",
        scope=Scope.CLUSTER,
        own=True,
    )
    confluent_bearer_auth_token = secret(
        "The token that the broker shows to that registry instead.", scope=Scope.CLUSTER, own=True
    )
