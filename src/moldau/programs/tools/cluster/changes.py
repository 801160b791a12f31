"""What differs between a cluster and what it shall have, and how to change it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from moldau.client.admin import (
    AclFilter,
    AclRule,
    ConfigChange,
    ConfigResource,
    NewTopic,
    ScramDeletion,
    ScramUpsertion,
    TopicView,
)
from moldau.platform.ports.files import Files, read_whole
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.cluster.wanted import Wanted, WantedTopic, WantedUser

if TYPE_CHECKING:
    from moldau.client.admin import Admin, QuotaEntity

__all__ = ["Change", "changes_of"]


@dataclass(frozen=True, slots=True)
class Change:
    """One step."""

    sign: str
    """`+` something is made, `-` is gone, `~` is altered."""
    text: str
    act: Callable[[Admin], object]

    def __str__(self) -> str:
        return f"{self.sign} {self.text}"


def changes_of(admin: Admin, wanted: Wanted, files: Files) -> list[Change]:
    """In the order in which they are made: what others need comes first."""
    return [
        *_user_changes(admin, wanted, files),
        *_topic_changes(admin, wanted),
        *_acl_changes(admin, wanted),
        *_quota_changes(admin, wanted),
    ]


def _topic_changes(admin: Admin, wanted: Wanted) -> Iterator[Change]:
    there = admin.list_topics(internal=True)
    named = [one.name for one in wanted.topics if one.name in there]
    views = admin.describe_topics(named).all() if named else {}
    for topic in wanted.topics:
        if topic.name not in views:
            if not topic.absent:
                yield _creation(topic)
        elif topic.absent:
            yield _deletion(topic.name)
        else:
            yield from _alterations(admin, topic, views[topic.name])


def _deletion(topic: str) -> Change:
    return Change(
        "-",
        f"topic {topic} with all its records",
        lambda admin: admin.delete_topics(topic).all(),
    )


def _creation(topic: WantedTopic) -> Change:
    configs = {name: value for name, value in topic.configs.items() if value is not None}
    shown = [f"{name}={value}" for name, value in configs.items()]
    if topic.replication_factor is not None:
        shown.insert(0, f"replication-factor={topic.replication_factor}")
    if topic.partitions is not None:
        shown.insert(0, f"partitions={topic.partitions}")
    made = NewTopic(topic.name, topic.partitions, topic.replication_factor, configs)
    return Change(
        "+",
        f"topic {topic.name} {' '.join(shown)}".rstrip(),
        lambda admin: admin.create_topics([made]).all(),
    )


def _alterations(admin: Admin, topic: WantedTopic, view: TopicView) -> Iterator[Change]:
    count = len(view.partitions)
    if topic.partitions is not None and topic.partitions < count:
        topic.place.fail(
            f"topic {topic.name} has {count} partitions, and none can be taken away: write {count} "
            "or more"
        )
    factor = len(view.partitions[0].replicas)
    if topic.replication_factor not in (None, factor):
        topic.place.fail(
            f"topic {topic.name} has {factor} replicas, and {topic.replication_factor} are wanted: "
            "moldau reassign-partitions moves them"
        )
    if topic.partitions not in (None, count):
        more = {topic.name: topic.partitions}
        yield Change(
            "~",
            f"topic {topic.name} partitions {count} -> {topic.partitions}",
            lambda admin: admin.create_partitions(more).all(),
        )
    yield from _config_changes(admin, topic)


def _config_changes(admin: Admin, topic: WantedTopic) -> Iterator[Change]:
    if not topic.configs:
        return
    resource = ConfigResource.topic(topic.name)
    entries = admin.describe_configs([resource])[resource]
    own = {name: entry.value for name, entry in entries.items() if not entry.is_default}
    for name, value in topic.configs.items():
        if own.get(name) == value:
            continue
        before = entries[name].value if name in entries else "unknown"
        yield _config_change(resource, name, before, value)


def _config_change(
    resource: ConfigResource, name: str, before: str | None, value: str | None
) -> Change:
    change = ConfigChange.delete() if value is None else ConfigChange.set(value)
    return Change(
        "~",
        f"topic {resource.name} {name} {before} -> {'default' if value is None else value}",
        lambda admin: admin.incremental_alter_configs({resource: {name: change}}).all(),
    )


def _acl_changes(admin: Admin, wanted: Wanted) -> Iterator[Change]:
    if not wanted.acls:
        return
    there = set(admin.describe_acls())
    for one in wanted.acls:
        rule = one.rule
        if one.absent and rule in there:
            yield Change("-", f"acl {rule}", partial(_delete_acl, rule))
        elif not one.absent and rule not in there:
            yield Change("+", f"acl {rule}", partial(_create_acl, rule))


def _create_acl(rule: AclRule, admin: Admin) -> None:
    admin.create_acls([rule]).all()


def _delete_acl(rule: AclRule, admin: Admin) -> None:
    wanted = AclFilter.exactly(rule)
    for deleted in admin.delete_acls([wanted]).all().values():
        deleted.all()


def _quota_changes(admin: Admin, wanted: Wanted) -> Iterator[Change]:
    if not wanted.quotas:
        return
    there = admin.describe_client_quotas()
    for one in wanted.quotas:
        now = there.get(one.entity, {})
        for name, limit in one.limits.items():
            if now.get(name) == limit:
                continue
            yield _quota_change(one.entity, name, now.get(name), limit)


def _quota_change(
    entity: QuotaEntity, name: str, before: float | None, limit: float | None
) -> Change:
    sign = "+" if before is None else "-" if limit is None else "~"
    shown = "" if before is None else f"{before:.15g} -> "
    after = "none" if limit is None else f"{limit:.15g}"
    return Change(
        sign,
        f"quota of {entity}: {name} {shown}{after}",
        lambda admin: admin.alter_client_quotas({entity: {name: limit}}).all(),
    )


def _user_changes(admin: Admin, wanted: Wanted, files: Files) -> Iterator[Change]:
    if not wanted.users:
        return
    there = admin.describe_user_scram_credentials().values
    for user in wanted.users:
        found = [one for one in there.get(user.name, ()) if one.mechanism == user.mechanism]
        kind = user.mechanism.name.replace("_", "-")
        if user.absent and found:
            gone = ScramDeletion(user.name, user.mechanism)
            yield Change("-", f"user {user.name} {kind}", partial(_alter_user, gone))
        elif not user.absent and (not found or found[0].iterations != user.iterations):
            made = ScramUpsertion(
                user.name, _password(user, files), user.mechanism, user.iterations
            )
            yield Change(
                "~" if found else "+",
                f"user {user.name} {kind} iterations={user.iterations}",
                partial(_alter_user, made),
            )


def _alter_user(change: ScramDeletion | ScramUpsertion, admin: Admin) -> None:
    admin.alter_user_scram_credentials([change]).all()


def _password(user: WantedUser, files: Files) -> str:
    """The first line of its file."""
    path = user.password_file or ""
    if files.status(path) is None:
        user.place.fail(f"password-file {path} is missing")
    return bytes(read_whole(files, path)).decode(errors="replace").partition("\n")[0].strip()
