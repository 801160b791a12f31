"""`moldau cat`: kcat's flags and format strings, for pipes of the shell."""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from moldau import __version__
from moldau.client import TopicPartition
from moldau.client import admin as clients
from moldau.client.errors import UnknownTopicError
from moldau.client.settings.client import ClientSettings
from moldau.errors import MoldauError
from moldau.platform.system.variables import variable
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import pairs_of, settings_file

if TYPE_CHECKING:
    from moldau.client.admin import ClusterView, OffsetPlace, Outcomes, TopicView

CONSUMING = "moldau.programs.tools.cluster.cat_consuming"
GROUP = "moldau.programs.tools.cluster.cat_group"
PRODUCING = "moldau.programs.tools.cluster.cat_producing"
PROFILES = "moldau.programs.tools.profiles"
"""What only some of the modes need."""
NAMES = {"metadata.broker.list": "bootstrap.servers", "compression.codec": "compression.type"}
"""librdkafka's names for settings that have another one here."""
LIST, DUMP = "list", "dump"
METADATA_SECONDS = 5.0
"""kcat's own."""
UNKNOWN = "Broker: Unknown topic or partition"


def declare(parser: ArgumentParser) -> None:
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("-P", dest="mode", action="store_const", const="P", help="produce")
    mode.add_argument("-C", dest="mode", action="store_const", const="C", help="consume (default)")
    mode.add_argument("-L", dest="mode", action="store_const", const="L", help="list metadata")
    mode.add_argument("-Q", dest="mode", action="store_const", const="Q", help="query offsets")
    mode.add_argument("-G", dest="group", metavar="GROUP", help="consume as a member of a group")
    parser.add_argument("-b", dest="brokers", metavar="BROKERS", help="host:port,…")
    parser.add_argument(
        "-t",
        dest="topic",
        action="append",
        default=[],
        metavar="TOPIC",
        help="the topic; with -Q topic:partition:timestamp, where -1 is the end, -2 the beginning",
    )
    parser.add_argument("-p", dest="partition", type=int, default=-1, help="the partition")
    parser.add_argument(
        "-o",
        dest="offset",
        action="append",
        default=[],
        metavar="OFFSET",
        help="beginning, end, stored, a number, -N for the last N, s@TIME and e@TIME (ms)",
    )
    parser.add_argument(
        "-X",
        dest="settings",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting of the client; `list` names them, `dump` shows what is given",
    )
    parser.add_argument(
        "-m",
        dest="seconds",
        type=float,
        default=METADATA_SECONDS,
        metavar="SECONDS",
        help="how long questions to the cluster may take (%(default)s)",
    )
    parser.add_argument("-V", dest="version", action="store_true", help="print the version")
    for flag in ("-v", "-E", "-O"):
        parser.add_argument(flag, action="store_true", help="taken as kcat 1.7 does, no effect")
    parser.add_argument("-d", metavar="WHAT", help="librdkafka's debugging; no effect")
    parser.add_argument("-F", dest="config", metavar="FILE", help="a file of settings")
    parser.add_argument("-q", dest="quiet", action="store_true", help="no remarks")
    _declare_consuming(parser)
    _declare_producing(parser)
    parser.add_argument(
        "topics", nargs="*", metavar="TOPIC", help="with -G: the topics; with -P: files"
    )


def _declare_consuming(parser: ArgumentParser) -> None:
    parser.add_argument("-e", dest="exit", action="store_true", help="end where partitions end")
    parser.add_argument(
        "-f", dest="format", metavar="FORMAT", help="%%t %%p %%o %%k %%K %%s %%S %%R %%T %%h"
    )
    parser.add_argument(
        "-s",
        dest="packed",
        action="append",
        default=[],
        metavar="[key=|value=]TOKENS",
        help="show packed numbers: < > b B h H i I q Q c s $",
    )
    parser.add_argument("-J", dest="json", action="store_true", help="JSON")
    parser.add_argument("-u", dest="unbuffered", action="store_true", help="write at once")
    parser.add_argument("-c", dest="count", type=int, metavar="N", help="end after so many")
    parser.add_argument("-D", dest="delimiter", default="\\n", help="between records")
    parser.add_argument("-K", dest="key_delimiter", help="between key and value")
    parser.add_argument("-Z", dest="null", action="store_true", help="null for what is empty")


def _declare_producing(parser: ArgumentParser) -> None:
    parser.add_argument("-k", dest="key", help="the key of all records")
    parser.add_argument(
        "-H", dest="headers", action="append", default=[], metavar="NAME=VALUE", help="a header"
    )
    parser.add_argument("-z", dest="codec", help="none, gzip, snappy, lz4 or zstd")
    parser.add_argument("-l", dest="lines", action="store_true", help="records of files, by lines")
    parser.add_argument("-T", dest="tee", action="store_true", help="write what is sent as well")


def run(options: Namespace, world: World) -> int:
    if options.version or {LIST, DUMP}.intersection(options.settings):
        world.out.writelines(f"{line}\n" for line in _about_itself(options, world))
        return 0
    settings = _settings(options, world)
    if "bootstrap.servers" not in settings:
        raise MoldauError("-b names the brokers to begin at, as host:port")
    if options.group:
        code: int = import_module(GROUP).consume_group(options, world, settings)
        return code
    return _run(options, world, settings)


def _run(options: Namespace, world: World, settings: dict[str, object]) -> int:
    mode = options.mode or _mode_by_input(world)
    if mode == "L":
        return _list(options, world, settings)
    if not options.topic:
        raise MoldauError("-t names the topic")
    if mode == "Q":
        return _query(options, world, settings)
    if options.mode is None and not options.quiet:
        name = "Producer" if mode == "P" else "Consumer"
        world.errors.write(f"% Auto-selecting {name} mode (use -P or -C to override)\n")
    do = import_module(PRODUCING).produce if mode == "P" else import_module(CONSUMING).consume
    code: int = do(options, world, settings)
    return code


def _mode_by_input(world: World) -> str:
    """As with kcat: a terminal has nothing to send, a pipe has."""
    is_terminal = getattr(world.typed, "isatty", None)
    return "C" if is_terminal is None or is_terminal() else "P"


def _about_itself(options: Namespace, world: World) -> Iterator[str]:
    """The version, the settings there are, or those given, without secrets."""
    if options.version:
        yield f"moldau {__version__}, with the flags of kcat 1.7"
    elif LIST in options.settings:
        yield from sorted(key.name for key in ClientSettings.KEYS.values() if not key.internal)
    else:
        is_secret = import_module(PROFILES).is_secret
        for name, value in sorted(_settings(options, world).items()):
            yield f"{name} = {'[hidden]' if is_secret(name) else value}"


def _settings(options: Namespace, world: World) -> dict[str, object]:
    path = options.config or variable("KCAT_CONFIG")
    pairs = [one for one in options.settings if one != DUMP]
    given = settings_file(world.files, path) | pairs_of(pairs)
    names = {name: name.removeprefix("topic.") for name in given}
    settings = {NAMES.get(name, name): given[whole] for whole, name in names.items()}
    if options.brokers:
        settings["bootstrap.servers"] = options.brokers
    if options.codec:
        settings["compression.type"] = options.codec
    return settings


def _list(options: Namespace, world: World, settings: dict[str, object]) -> int:
    with clients.Admin(settings) as client:
        admin = client.within(options.seconds)
        cluster = admin.describe_cluster()
        names = options.topic or sorted(admin.list_topics(internal=True))
        found = admin.describe_topics(names)
    server = str(settings["bootstrap.servers"]).split(",")[0]
    if options.json:
        origin = {"id": -1, "name": f"{server}/bootstrap"}
        query = {"topic": options.topic[0] if options.topic else "*"}
        fields = {"originating_broker": origin, "query": query} | _metadata_fields(cluster, found)
        print(json.dumps(fields, separators=(",", ":")), file=world.out)
        return 0
    _print_metadata(options, world, cluster, found, f"(from broker -1: {server}/bootstrap)")
    return 0


def _print_metadata(
    options: Namespace,
    world: World,
    cluster: ClusterView,
    found: Outcomes[str, TopicView],
    where: str,
) -> None:
    print(
        f"Metadata for {options.topic[0] if options.topic else 'all topics'} {where}:",
        file=world.out,
    )
    print(f" {len(cluster.nodes)} brokers:", file=world.out)
    for node in cluster.nodes:
        leads = " (controller)" if node.node_id == cluster.controller_id else ""
        print(f"  broker {node.node_id} at {node.host}:{node.port}{leads}", file=world.out)
    print(f" {len(found)} topics:", file=world.out)
    for name, view in found.values.items():
        print(f'  topic "{name}" with {len(view.partitions)} partitions:', file=world.out)
        for part in view.partitions:
            replicas, isr = (",".join(map(str, ids)) for ids in (part.replicas, part.isr))
            leader = -1 if part.leader is None else part.leader
            print(
                f"    partition {part.partition}, leader {leader}, replicas: {replicas}, "
                f"isrs: {isr}",
                file=world.out,
            )
    for name, error in found.errors.items():
        print(f'  topic "{name}" with 0 partitions: {_cause(error)}', file=world.out)


def _cause(error: MoldauError) -> str:
    """In librdkafka's words where it is no topic."""
    is_unknown = isinstance(error, UnknownTopicError) or "UNKNOWN_TOPIC" in str(error)
    return UNKNOWN if is_unknown else str(error)


def _metadata_fields(cluster: ClusterView, found: Outcomes[str, TopicView]) -> dict[str, object]:
    return {
        "controllerid": cluster.controller_id,
        "brokers": [
            {"id": node.node_id, "name": f"{node.host}:{node.port}"} for node in cluster.nodes
        ],
        "topics": [
            {
                "topic": name,
                "partitions": [
                    {
                        "partition": part.partition,
                        "leader": -1 if part.leader is None else part.leader,
                        "replicas": [{"id": node} for node in part.replicas],
                        "isrs": [{"id": node} for node in part.isr],
                    }
                    for part in view.partitions
                ],
            }
            for name, view in found.values.items()
        ]
        + [
            {"topic": name, "error": _cause(error), "partitions": []}
            for name, error in found.errors.items()
        ],
    }


def _query(options: Namespace, world: World, settings: dict[str, object]) -> int:
    wanted = [_place(text) for text in options.topic]
    with clients.Admin(settings) as client:
        admin = client.within(options.seconds)
        for part, place in wanted:
            found = admin.list_offsets({part: place})[part].offset
            offset = -1 if found is None else found
            print(f"{part.topic} [{part.partition}] offset {offset}", file=world.out)
    return 0


def _place(text: str) -> tuple[TopicPartition, OffsetPlace | int]:
    found = re.fullmatch(r"(.+):(\d+):(-?\d+)", text)
    if found is None:
        raise MoldauError(f"-Q -t {text}: write topic:partition:timestamp")
    number = int(found[3])
    place = clients.OffsetPlace(number) if number in tuple(clients.OffsetPlace) else number
    return TopicPartition(found[1], int(found[2])), place
