"""Settings of clients that both kinds of files have: addresses, stores of keys, logins."""

from __future__ import annotations

from typing import Final

from moldau.programs.console.imported.cluster import ImportedCluster
from moldau.programs.console.imported.fields import Fields

__all__ = ["SSL", "ensure_servers", "store", "url_of", "user_of"]

USER: Final = "basic.auth.user.info"
SSL: Final = "ssl."


def url_of(fields: Fields, name: str) -> str:
    """A message about an address shows it, so it may hold no password."""
    value = fields.pop(name)
    url = fields.source.text(value)
    if value is not None and "@" in url:
        value.fail("an address must not hold a name and a password: they have keys of their own")
    return url


def store(fields: Fields | None, kind: str) -> dict[str, str]:
    """Of keys or certificates, and its password."""
    found: dict[str, str] = {}
    if fields is None:
        return found
    for what in ("location", "password"):
        if text := fields.text(f"{kind}{what.title()}"):
            found[f"{SSL}{kind}.{what}"] = text
    fields.name_left()
    return found


def user_of(fields: Fields, name: str, password: str) -> dict[str, str]:
    user, secret = fields.text(name), fields.text(password)
    return {USER: f"{user}:{secret}"} if user else {}


def ensure_servers(cluster: ImportedCluster, fields: Fields) -> ImportedCluster:
    if not cluster.servers:
        fields.fail("the addresses of its brokers are missing here (bootstrap.servers)")
    fields.name_left()
    return cluster
