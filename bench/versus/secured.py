"""Nodes with listeners for TLS and logins beside the plain one, and an authorizer."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from bench.versus.asking import HOST
from bench.versus.kinds import ApacheKafka, Moldau, Node
from bench.versus.model import Turn
from bench.versus.sides import Side
from tests.judges.certificates import HOSTS, Certificates
from tests.judges.kafka_jars import find_kafka_libs
from tests.judges.kafka_node import free_ports
from tests.judges.logins import SCRAM_MODULE

__all__ = ["PASSWORD", "USER", "Secured", "secured"]

USER, PASSWORD = "load", "of-the-load"
SCRAM = "SCRAM-SHA-256"
AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
NAMES = ("PLAINTEXT", "SSL", "SASL_SSL", "CONTROLLER")
PROTOCOLS = {name: "PLAINTEXT" if name == "CONTROLLER" else name for name in NAMES}


class Secured(Node):
    """What both kinds are given beyond what all nodes are."""

    secure_port: int
    login_port: int

    def _open_ports(self, folder: Path) -> None:
        """Before the node is formatted."""
        self.secure_port, self.login_port = free_ports(2)
        folder.mkdir(parents=True, exist_ok=True)
        self._certificates = Certificates(folder)
        self._keys = self._certificates.issue("node", HOSTS)

    @property
    def trusted(self) -> Path:
        """The authority, for clients."""
        return self._certificates.trusted

    @property
    def secure_bootstrap(self) -> str:
        return f"{HOST}:{self.secure_port}"

    def client_settings(self) -> dict[str, str]:
        """Of a client in Java, with TLS and without a login."""
        return {"security.protocol": "SSL", **self._certificates.pem_settings()}

    def settings(self) -> dict[str, str]:
        ports = (self.port, self.secure_port, self.login_port, self.controller_port)
        listeners = zip(NAMES, ports, strict=True)
        return {
            **super().settings(),
            "listeners": ",".join(f"{name}://{HOST}:{port}" for name, port in listeners),
            "listener.security.protocol.map": ",".join(map(":".join, PROTOCOLS.items())),
            "inter.broker.listener.name": "PLAINTEXT",
            "sasl.enabled.mechanisms": SCRAM,
            f"listener.name.sasl_ssl.{SCRAM.lower()}.sasl.jaas.config": f"{SCRAM_MODULE} required;",
            "authorizer.class.name": AUTHORIZER,
            "allow.everyone.if.no.acl.found": "true",
            **self._certificates.pem_settings(self._keys),
        }

    def _format_command(self) -> list[str | Path]:
        user = f"{SCRAM}=[name={USER},password={PASSWORD}]"
        return [*super()._format_command(), "--add-scram", user]  # type: ignore[safe-super]


class SecuredKafka(Secured, ApacheKafka):
    """Apache Kafka's."""

    def __init__(self, folder: Path) -> None:
        self._open_ports(folder)
        super().__init__(folder, find_kafka_libs())


class SecuredMoldau(Secured, Moldau):
    """Ours."""

    def __init__(self, folder: Path) -> None:
        self._open_ports(folder)
        super().__init__(folder)


def secured(side: Side, turn: Turn) -> Secured:
    """The node of this kind that stays for all cases of a run; started by the first of them."""
    node = _node(side.is_ours, turn.folder.parent)
    if not node.is_up:
        node.start()
    return node


@cache
def _node(is_ours: bool, work: Path) -> Secured:
    return SecuredMoldau(work / "secured-ours") if is_ours else SecuredKafka(work / "secured")
