"""Who is let in, and who may change something, of kafbat UI's `auth` and `rbac`.

The console leaves both to the cluster: users log in there, and its access rules decide. So a file
that asks for a login is not served to everyone, and where no role of the file may change anything
of a cluster, its pages change nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from moldau.programs.console.imported.cluster import ImportedCluster
from moldau.programs.console.imported.fields import Fields

__all__ = ["FoundRoles", "login_of", "roles_of"]

OPEN: Final = ("", "disabled")
OTHERS: Final = ("applicationconfig", "connect", "connector", "ksql", "audit")
"""Resources of which there are no pages here."""
LOOKS: Final = frozenset(("view", "messages_read", "analysis_view", "analysis_run"))


class FoundRoles(NamedTuple):
    """What there is of `rbac`."""

    names: list[str]
    """Of its roles."""
    unchanged: list[str]
    """Clusters of which no role may change anything."""


def login_of(fields: Fields | None) -> str:
    """The kind of login that everyone needs; of the rest nothing is used."""
    if fields is None:
        return ""
    kind = fields.text("type")
    if kind.lower() not in OPEN:
        return kind
    fields.name_left()
    return ""


def roles_of(fields: Fields | None, clusters: Sequence[ImportedCluster]) -> FoundRoles:
    """Makes clusters read-only of which no role may change anything."""
    if fields is None:
        return FoundRoles([], [])
    default = fields.section("default-role")
    roles = fields.sections("roles")
    fields.name_left()
    if default is None and not roles:
        return FoundRoles([], [])
    changed = {name for role in roles if _changes(role) for name in _clusters(role)}
    if default is not None and _changes(default):
        changed |= {one.name.lower() for one in clusters}
    unchanged = [one for one in clusters if one.name.lower() not in changed]
    for one in unchanged:
        one.is_read_only = True
    names = [role.text("name") or role.place for role in roles]
    names += [] if default is None else ["default-role"]
    return FoundRoles(names, [one.name for one in unchanged])


def _clusters(role: Fields) -> list[str]:
    return [name.lower() for name in role.source.texts(role.pop("clusters"))]


def _changes(role: Fields) -> bool:
    """Whether it permits more than a look at what there are pages of."""
    permitted = [_permits_changes(one) for one in role.sections("permissions")]
    return any(permitted)


def _permits_changes(fields: Fields) -> bool:
    resource = fields.text("resource").lower()
    if not resource:
        fields.fail("a permission needs its resource, such as topic")
    actions = {one.lower() for one in fields.source.texts(fields.pop("actions"))}
    return resource not in OTHERS and not actions <= LOOKS
