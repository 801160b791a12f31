"""An authority with the certificates that a test needs, and the settings of both ends."""

from __future__ import annotations

import time
from pathlib import Path

from moldau.platform.system.authority import Authority

HOSTS = ("localhost", "127.0.0.1")
PASSWORD = "of the stores"
DAYS = 10
MS_PER_S, DAY_MS = 1000, 86_400_000


class Certificates:
    """Files in a folder: ca.pem, and NAME.pem and NAME.p12 for each that was issued."""

    def __init__(self, folder: Path, authority: str = "CN=Tests,O=Moldau") -> None:
        self.folder = folder
        self.authority = Authority.made(authority, now_ms(), DAYS)
        self.trusted = folder / "ca.pem"
        self.trusted.write_text(self.authority.certificate_pem)
        (folder / "truststore.p12").write_bytes(self.authority.trust_store(PASSWORD))

    def issue(self, name: str, hosts=(), *, file: str = "", earlier_days: int = 0) -> Path:
        """PEM with key and certificates; one issued `earlier_days` ago has expired if those are
        more than it holds."""
        issued = self.authority.issue(name, hosts, now_ms() - earlier_days * DAY_MS, DAYS)
        base = self.folder / (file or name.partition(",")[0].rpartition("=")[2])
        base.with_suffix(".p12").write_bytes(issued.pkcs12(PASSWORD))
        base.with_suffix(".pem").write_text(issued.pem)
        return base.with_suffix(".pem")

    def pem_settings(self, keys: Path | None = None) -> dict[str, str]:
        """As Kafka and Java's clients call them."""
        settings = {"ssl.truststore.type": "PEM", "ssl.truststore.location": str(self.trusted)}
        if keys is not None:
            settings |= {"ssl.keystore.type": "PEM", "ssl.keystore.location": str(keys)}
        return settings

    def librdkafka_settings(self, keys: Path | None = None) -> dict[str, str]:
        settings = {"security.protocol": "SSL", "ssl.ca.location": str(self.trusted)}
        if keys is not None:
            settings |= {"ssl.key.location": str(keys), "ssl.certificate.location": str(keys)}
        return settings


def now_ms() -> int:
    return int(time.time() * MS_PER_S)
