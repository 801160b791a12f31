"""Settings of a node whose listeners speak TLS, in every way that clients are tested with.

PLAINTEXT   SSL, both versions; the name is left, so that a test need not know
OLDER       SSL, TLS 1.2 alone
MUTUAL      SSL, which wants certificates
LOGIN       SASL_SSL, both versions
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.judges.certificates import HOSTS, Certificates
from tests.judges.kafka_node import HOST, free_ports
from tests.judges.logins import MECHANISMS, node_settings
from tests.judges.moldau_node import MoldauNode

LISTENERS = ("OLDER", "MUTUAL", "LOGIN")


class TlsNode:
    """A node of ours, its certificates, and where its listeners are."""

    def __init__(self, folder: Path, **more: str) -> None:
        self.certificates = Certificates(folder)
        node_keys = self.certificates.issue("node", HOSTS)
        self.alice = self.certificates.issue("CN=alice,O=Company")
        client, controller, *ports = free_ports(2 + len(LISTENERS))
        self.places = {name: f"{HOST}:{port}" for name, port in zip(LISTENERS, ports, strict=True)}
        self.places["PLAINTEXT"] = f"{HOST}:{client}"
        settings = node_settings() | self._settings(controller)
        settings |= self.certificates.pem_settings(node_keys)
        settings |= {name.replace("_", "."): value for name, value in more.items()}
        settings |= _for_login(settings)
        self.node = MoldauNode(folder, settings=settings, ports=(client, controller))

    def _settings(self, controller: int) -> dict[str, str]:
        places = [*self.places.items(), ("CONTROLLER", f"{HOST}:{controller}")]
        return {
            "listeners": ",".join(f"{name}://{place}" for name, place in places),
            "listener.security.protocol.map": (
                "PLAINTEXT:SSL,OLDER:SSL,MUTUAL:SSL,LOGIN:SASL_SSL,CONTROLLER:PLAINTEXT"
            ),
            "inter.broker.listener.name": "PLAINTEXT",
            "listener.name.older.ssl.enabled.protocols": "TLSv1.2",
            "listener.name.mutual.ssl.client.auth": "required",
        }


def _for_login(settings: Mapping[str, str]) -> dict[str, str]:
    """What stands for the mechanisms of the usual listener, for LOGIN."""
    names = [f"{mechanism.lower()}.sasl.jaas.config" for mechanism in MECHANISMS]
    return {
        f"listener.name.login.{name}": settings[f"listener.name.plaintext.{name}"] for name in names
    }
