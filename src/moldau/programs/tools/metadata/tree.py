"""An image as a tree: directories by their names, and files that are a text.

A child is made when it is asked for, so that a large cluster is a tree at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from moldau import __version__
from moldau.broker.metadata.features import METADATA_VERSION, METADATA_VERSIONS
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import TopicState
from moldau.platform.system.host import utc_text
from moldau.programs.tools.metadata.java_words import (
    broker_text,
    controller_text,
    credential_text,
    entity_name,
    number_text,
    partition_text,
    resource_name,
    rule_text,
    token_text,
)
from moldau.programs.tools.metadata.metadata_files import Loaded
from moldau.protocol.wire.uuids import uuid_text

__all__ = ["Directory", "Node", "lines_of", "tree_of"]

MECHANISMS = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
INDENT = "  "


class Directory:
    """Names, and what makes the node behind each."""

    def __init__(self, makers: Mapping[str, Callable[[], Node]]) -> None:
        self._makers = makers

    def __repr__(self) -> str:
        return f"<Directory: {len(self._makers)} names>"

    def names(self) -> list[str]:
        return sorted(self._makers)

    def child(self, name: str) -> Node | None:
        maker = self._makers.get(name)
        return None if maker is None else maker()


Node = str | Directory


def lines_of(node: Node, indent: str = "") -> Iterator[str]:
    """The node and all below it."""
    if isinstance(node, str):
        yield f"{indent}{node}"
        return
    for name in node.names():
        yield f"{indent}{name}:"
        yield from lines_of(_there(node.child(name)), indent + INDENT)


def _there(node: Node | None) -> Node:
    assert node is not None, "a directory has what it lists"
    return node


def tree_of(loaded: Loaded) -> Directory:
    image = loaded.image
    local = {"commitId": lambda: "unknown", "version": lambda: __version__}
    return Directory(
        {
            "local": lambda: Directory(local),
            "image": lambda: Directory(
                {
                    "provenance": partial(_provenance, loaded),
                    "features": partial(_features, image),
                    "cluster": partial(_cluster, image),
                    "topics": partial(_topics, image),
                    "configs": partial(_configs, image),
                    "clientQuotas": partial(_quotas, image),
                    "producerIds": partial(_producer_ids, image),
                    "acls": partial(_acls, image),
                    "scram": partial(_scram, image),
                    "delegationToken": partial(_tokens, image),
                }
            ),
        }
    )


def _provenance(loaded: Loaded) -> Node:
    thousandths = f"{loaded.time_ms % 1000:03}".rstrip("0")
    time = f"{utc_text(loaded.time_ms // 1000)}{f'.{thousandths}' if thousandths else ''}Z[UTC]"
    return f"offset {loaded.image.offset}, epoch {loaded.image.epoch}, time {time}"


def _features(image: Image) -> Node:
    levels = dict(image.features.levels)
    version = METADATA_VERSIONS.get(levels.pop(METADATA_VERSION, 0))
    shown = "Optional.empty" if version is None else f"Optional[{version.name}]"
    files = {f"finalized_{name}": partial(str, level) for name, level in levels.items()}
    return Directory({"metadataVersion": lambda: shown, **files})


def _cluster(image: Image) -> Node:
    brokers = {
        str(one): partial(broker_text, state) for one, state in image.cluster.brokers.items()
    }
    controllers = {
        str(one): partial(controller_text, state)
        for one, state in image.cluster.controllers.items()
    }
    return Directory(
        {"brokers": lambda: Directory(brokers), "controllers": lambda: Directory(controllers)}
    )


def _topics(image: Image) -> Node:
    by_name = {name: partial(_topic, one) for name, one in image.topics.by_name.items()}
    by_id = {uuid_text(one): partial(_topic, topic) for one, topic in image.topics.by_id.items()}
    return Directory({"byName": lambda: Directory(by_name), "byId": lambda: Directory(by_id)})


def _topic(topic: TopicState) -> Node:
    partitions = {
        str(index): partial(partition_text, state) for index, state in topic.partitions.items()
    }
    named = {"name": lambda: topic.name, "id": lambda: uuid_text(topic.topic_id)}
    return Directory({**named, **partitions})


def _configs(image: Image) -> Node:
    return Directory(
        {
            resource_name(*resource): partial(_texts, values)
            for resource, values in image.configs.by_resource.items()
        }
    )


def _texts(values: Mapping[str, str]) -> Node:
    return Directory({name: partial(str, value) for name, value in values.items()})


def _quotas(image: Image) -> Node:
    return Directory(
        {
            entity_name(entity): partial(_quota, quota)
            for entity, quota in image.quotas.by_entity.items()
        }
    )


def _quota(quota: Mapping[str, float]) -> Node:
    return Directory({key: partial(number_text, value) for key, value in quota.items()})


def _producer_ids(image: Image) -> Node:
    return Directory({"nextProducerId": partial(str, image.producer_ids.next_producer_id)})


def _acls(image: Image) -> Node:
    rules = {uuid_text(one): partial(rule_text, rule) for one, rule in image.acls.by_id.items()}
    return Directory({"byId": lambda: Directory(rules)})


def _scram(image: Image) -> Node:
    return Directory({name: partial(_users, image, kind) for kind, name in MECHANISMS.items()})


def _users(image: Image, mechanism: int) -> Node:
    return Directory(
        {
            user: partial(credential_text, credential)
            for (kind, user), credential in image.scram.by_user.items()
            if kind == mechanism
        }
    )


def _tokens(image: Image) -> Node:
    return Directory(
        {name: partial(token_text, token) for name, token in image.tokens.by_id.items()}
    )
