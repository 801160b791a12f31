"""`moldau broker-api-versions`: which versions of which requests each broker understands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from moldau.client.admin import ClusterNode, Outcomes
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, admin_of
from moldau.programs.tools.kafka.flags import OUTPUT, Given
from moldau.programs.tools.kafka.java_errors import java_cause_of
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.index import APIS
from moldau.protocol.wire.versions import Versions

__all__ = ["FLAGS", "lines_of", "run"]

FLAGS = (BOOTSTRAP, COMMAND_CONFIG, OUTPUT)


def run(given: Given, world: World) -> int:
    given.need("bootstrap-server")
    with admin_of(given, world) as admin:
        nodes = admin.describe_cluster().nodes
        found = admin.broker_api_versions([node.node_id for node in nodes])
    if world.takes(HEADS, [row for node in nodes for row in _rows(node, found)]):
        return 0
    for node in nodes:
        fenced = str(node.is_fenced).lower()
        place = f"{node.host}:{node.port} (id: {node.node_id} rack: {node.rack or 'null'}"
        place += f" isFenced: {fenced}) -> "
        error = found.errors.get(node.node_id)
        if error is not None:
            print(f"{place}ERROR: {java_cause_of(error)}", file=world.out)
            continue
        lines = ",\n".join(f"\t{line}" for line in lines_of(found[node.node_id]))
        print(f"{place}(\n{lines}\n)", file=world.out)
    return 0


HEADS = ("NODE", "HOST", "PORT", "API", "KEY", "MIN-VERSION", "MAX-VERSION", "USABLE", "ERROR")


def _rows(
    node: ClusterNode, found: Outcomes[int, Mapping[str, Versions]]
) -> Iterator[tuple[object, ...]]:
    """A row for each request that a node understands, or one with its error."""
    place = (node.node_id, node.host, node.port)
    error = found.errors.get(node.node_id)
    if error is not None:
        yield *place, None, None, None, None, None, java_cause_of(error)
        return
    ours = {ApiKey(api.key).name: api for api in APIS}
    for name, (low, high) in found[node.node_id].items():
        api = ours.get(name)
        both = None if api is None else Versions(low, high).within(api.versions)
        usable = None if both is None or both.low > both.high else both.high
        named = (name, None) if api is None else (api.name, api.key)
        yield *place, *named, low, high, usable, None


def lines_of(spoken: Mapping[str, Versions]) -> Iterator[str]:
    """Of all that clients may ask, and of what this broker has beside it."""
    left = dict(spoken)
    for api in APIS:
        theirs = left.pop(ApiKey(api.key).name, None)
        if theirs is not None:
            yield f"{api.name}({api.key}): {_line(theirs, api.versions)}"
        elif api.on_brokers:
            yield f"{api.name}({api.key}): UNSUPPORTED"
    for name, theirs in left.items():
        yield f"UNKNOWN({name.removeprefix('API ')}): {_range(theirs)}"


def _line(theirs: Versions, ours: Versions) -> str:
    both = theirs.within(ours)
    if both.low <= both.high:
        usable = f"usable: {both.high}"
    else:
        usable = f"unusable: node too {'old' if theirs.high < ours.low else 'new'}"
    return f"{_range(theirs)} [{usable}]"


def _range(versions: Versions) -> str:
    low, high = versions
    return str(low) if low == high else f"{low} to {high}"
