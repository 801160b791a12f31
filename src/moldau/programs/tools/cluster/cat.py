"""`moldau cat`: kcat's flags and format strings, for pipes of the shell."""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser, Namespace

from moldau.client import TopicPartition
from moldau.client import admin as clients
from moldau.client.admin import ClusterView, OffsetPlace, TopicView
from moldau.errors import MoldauError
from moldau.programs.tools.cluster.cat_consuming import consume, consume_group
from moldau.programs.tools.cluster.cat_producing import produce
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import settings_file
from moldau.programs.tools.kafka.console_flags import pairs_of

NAMES = {"metadata.broker.list": "bootstrap.servers", "compression.codec": "compression.type"}
"""librdkafka's names for settings that have another one here."""


def declare(parser: ArgumentParser) -> None:
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("-P", dest="mode", action="store_const", const="P", help="produce")
    mode.add_argument("-C", dest="mode", action="store_const", const="C", help="consume (default)")
    mode.add_argument("-L", dest="mode", action="store_const", const="L", help="list metadata")
    mode.add_argument("-Q", dest="mode", action="store_const", const="Q", help="query offsets")
    mode.add_argument("-G", dest="group", metavar="GROUP", help="consume as a member of a group")
    parser.add_argument("-b", dest="brokers", metavar="BROKERS", required=True, help="host:port,…")
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
        default="beginning",
        metavar="OFFSET",
        help="beginning, end, stored, a number, -N for the last N, s@TIME and e@TIME (ms)",
    )
    parser.add_argument("-X", dest="settings", action="append", default=[], metavar="KEY=VALUE")
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
        "-f", dest="format", metavar="FORMAT", help="%%t %%p %%o %%k %%K %%s %%S %%T %%h"
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
    settings = _settings(options, world)
    if options.group:
        return consume_group(options, world, settings)
    mode = options.mode or "C"
    if mode == "L":
        return _list(options, world, settings)
    if not options.topic:
        raise MoldauError("-t names the topic")
    if mode == "Q":
        return _query(options, world, settings)
    if mode == "P":
        return produce(options, world, settings)
    if options.mode is None and not options.quiet:
        world.errors.write("% Auto-selecting Consumer mode (use -P or -C to override)\n")
    return consume(options, world, settings)


def _settings(options: Namespace, world: World) -> dict[str, object]:
    given = settings_file(world.files, options.config) | pairs_of(options.settings)
    settings = {NAMES.get(name, name): value for name, value in given.items()}
    settings["bootstrap.servers"] = options.brokers
    if options.codec:
        settings["compression.type"] = options.codec
    return settings


def _list(options: Namespace, world: World, settings: dict[str, object]) -> int:
    with clients.Admin(settings) as admin:
        cluster = admin.describe_cluster()
        names = options.topic or sorted(admin.list_topics(internal=True))
        views = admin.describe_topics(names).all()
    where = f"(from broker -1: {options.brokers.split(',')[0]}/bootstrap)"
    if options.json:
        print(json.dumps(_metadata_fields(cluster, views)), file=world.out)
        return 0
    print(
        f"Metadata for {options.topic[0] if options.topic else 'all topics'} {where}:",
        file=world.out,
    )
    print(f" {len(cluster.nodes)} brokers:", file=world.out)
    for node in cluster.nodes:
        leads = " (controller)" if node.node_id == cluster.controller_id else ""
        print(f"  broker {node.node_id} at {node.host}:{node.port}{leads}", file=world.out)
    print(f" {len(views)} topics:", file=world.out)
    for name, view in views.items():
        print(f'  topic "{name}" with {len(view.partitions)} partitions:', file=world.out)
        for part in view.partitions:
            replicas, isr = (",".join(map(str, ids)) for ids in (part.replicas, part.isr))
            leader = -1 if part.leader is None else part.leader
            print(
                f"    partition {part.partition}, leader {leader}, replicas: {replicas}, "
                f"isrs: {isr}",
                file=world.out,
            )
    return 0


def _metadata_fields(cluster: ClusterView, views: dict[str, TopicView]) -> dict[str, object]:
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
            for name, view in views.items()
        ],
    }


def _query(options: Namespace, world: World, settings: dict[str, object]) -> int:
    wanted = [_place(text) for text in options.topic]
    with clients.Admin(settings) as admin:
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
    place = OffsetPlace(number) if number in tuple(OffsetPlace) else number
    return TopicPartition(found[1], int(found[2])), place
