"""Settings of a node that asks who its clients are, and of clients that say it.

Both kinds of node take them. The listener keeps the name PLAINTEXT, so that a test that makes nodes
need not know: its protocol is SASL_PLAINTEXT.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

ADMIN, ADMIN_PASSWORD = "admin", "admin, with a comma"
ALICE, ALICE_PASSWORD = "alice", "wonder=land"
PLAIN_MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule"
SCRAM_MODULE = "org.apache.kafka.common.security.scram.ScramLoginModule"
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
LISTENER = "listener.name.plaintext."


def node_settings(**more: str) -> dict[str, str]:
    """Of a node with the users admin, who is a super user, and alice."""
    scram = f'{SCRAM_MODULE} required username="{ADMIN}" password="{ADMIN_PASSWORD}";'
    return {
        "listener.security.protocol.map": "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
        "inter.broker.listener.name": "PLAINTEXT",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "sasl.enabled.mechanisms": ",".join(MECHANISMS),
        "delegation.token.secret.key": "a secret of the cluster",
        f"{LISTENER}plain.sasl.jaas.config": (
            f'{PLAIN_MODULE} required username="{ADMIN}" password="{ADMIN_PASSWORD}" '
            f'user_{ADMIN}="{ADMIN_PASSWORD}" user_{ALICE}="{ALICE_PASSWORD}";'
        ),
        f"{LISTENER}scram-sha-256.sasl.jaas.config": scram,
        f"{LISTENER}scram-sha-512.sasl.jaas.config": scram,
        **{name.replace("_", "."): value for name, value in more.items()},
    }


def client_settings(
    mechanism: str = "PLAIN", name: str = ADMIN, password: str = ADMIN_PASSWORD
) -> dict[str, str]:
    """As librdkafka calls them."""
    return {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": mechanism,
        "sasl.username": name,
        "sasl.password": password,
    }


def java_settings(
    mechanism: str = "PLAIN", name: str = ADMIN, password: str = ADMIN_PASSWORD, *, more: str = ""
) -> dict[str, str]:
    """As Java's clients call them."""
    module = PLAIN_MODULE if mechanism == "PLAIN" else SCRAM_MODULE
    return {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": mechanism,
        "sasl.jaas.config": f'{module} required username="{name}" password="{password}"{more};',
    }


def written(path: Path, settings: Mapping[str, str]) -> Path:
    """A file of properties."""
    path.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    return path
