"""`moldau metadata-quorum`: who keeps the metadata, how far each is, and who shall vote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from moldau.client import admin as clients
from moldau.client.admin import QuorumReplica, QuorumView, VoterEndpoint
from moldau.config.java_properties import parse_properties
from moldau.errors import DecodeError
from moldau.platform.ports.files import Files, read_whole
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import (
    BOOTSTRAP,
    COMMAND_CONFIG,
    CONTROLLERS,
    DRY_RUN,
    admin_of,
    properties_of,
)
from moldau.programs.tools.kafka.flags import OUTPUT, Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.plain_table import print_table
from moldau.programs.tools.kafka.subcommands import Action, Actions
from moldau.programs.tools.kafka.tool import ToolFailedError
from moldau.protocol.wire.uuids import parse_uuid, uuid_text

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["FLAGS", "SUBCOMMANDS", "run"]

NO_DIRECTORY = "AAAAAAAAAAAAAAAAAAAAAA"
NOT_KNOWN = -1
OF_CLIENTS = ("security.", "sasl.", "ssl.")
NOT_A_CONTROLLERS = "in configuration file. Is this a valid controller configuration file?"
HEADS = (
    "NodeId",
    "DirectoryId",
    "LogEndOffset",
    "Lag",
    "LastFetchTimestamp",
    "LastCaughtUpTimestamp",
    "Status",
)

FLAGS = (BOOTSTRAP, CONTROLLERS, COMMAND_CONFIG, OUTPUT)
SUBCOMMANDS = Actions(
    (
        Action(
            "describe",
            "Show who leads, who votes, and how far each is.",
            (
                Flag("status", "Show the quorum as a whole."),
                Flag("replication", "Show each of its nodes."),
                Flag("human-readable", "With --replication: times as so long ago."),
            ),
        ),
        Action(
            "add-controller", "Let a controller vote; --command-config has its file.", (DRY_RUN,)
        ),
        Action(
            "remove-controller",
            "Let a controller vote no more.",
            (
                Flag("controller-id", "The controller.", Takes.INT, "ID"),
                Flag("controller-directory-id", "Its directory.", Takes.TEXT, "ID"),
                DRY_RUN,
            ),
            ("controller-directory-id", "controller-id"),
            (("i", "controller-id"), ("d", "controller-directory-id")),
        ),
    ),
    "kafka-metadata-quorum: error: {}",
)


def run(given: Given, world: World) -> int:
    _check_servers(given, world)
    match given.action:
        case "describe":
            _describe(given, world)
        case "add-controller":
            _add(given, world)
        case _:
            _remove(given, world)
    return 0


def _check_servers(given: Given, world: World) -> None:
    wrong = ""
    if given.has(BOOTSTRAP.name) and given.has(CONTROLLERS.name):
        places = {BOOTSTRAP.name, CONTROLLERS.name}
        first, second = (name for name in given.order if name in places)
        wrong = f"argument --{second}: not allowed with argument --{first}"
    elif not given.has(BOOTSTRAP.name) and not given.has(CONTROLLERS.name):
        wrong = f"one of the arguments --{BOOTSTRAP.name} --{CONTROLLERS.name} is required"
    if wrong:
        raise WrongUsageError(SUBCOMMANDS.complaint.format(wrong))
    path = given.text(COMMAND_CONFIG.name)
    if path is not None and world.files.status(path) is None:
        raise ToolFailedError(f"Properties file {path} does not exists!")


def _describe(given: Given, world: World) -> None:
    status, replication = given.has("status"), given.has("replication")
    if status and replication:
        raise ToolFailedError(
            "Only one of --status or --replication should be specified with describe sub-command"
        )
    if not status and not replication:
        raise ToolFailedError(
            "One of --status or --replication must be specified with describe sub-command"
        )
    if given.has("human-readable") and not replication:
        raise ToolFailedError(
            "The option --human-readable is only supported along with --replication"
        )
    with admin_of(given, world) as admin:
        view = admin.describe_metadata_quorum()
        if status:
            _print_status(admin.describe_cluster().cluster_id, view, world)
        else:
            _print_replication(view, world, ago=given.has("human-readable"))


def _leader(view: QuorumView) -> QuorumReplica:
    return next(one for one in view.voters if one.replica_id == view.leader_id)


def _print_status(cluster_id: str, view: QuorumView, world: World) -> None:
    leader = _leader(view)
    slowest = min(view.voters, key=lambda one: one.log_end_offset)
    behind_ms = NOT_KNOWN
    if slowest is leader:
        behind_ms = 0
    elif leader.last_caught_up_ms is not None and slowest.last_caught_up_ms is not None:
        behind_ms = leader.last_caught_up_ms - slowest.last_caught_up_ms
    lines = {
        "ClusterId": cluster_id,
        "LeaderId": leader.replica_id,
        "LeaderEpoch": view.leader_epoch,
        "HighWatermark": view.high_watermark,
        "MaxFollowerLag": leader.log_end_offset - slowest.log_end_offset,
        "MaxFollowerLagTimeMs": behind_ms,
        "CurrentVoters": _nodes(view.voters, view),
        "CurrentObservers": _nodes(view.observers, view),
    }
    nodes = {
        name: [one.replica_id for one in replicas]
        for name, replicas in (("CurrentVoters", view.voters), ("CurrentObservers", view.observers))
    }
    shown = lines | nodes
    if world.takes(list(shown), [list(shown.values())]):
        return
    for name, value in lines.items():
        print(f"{name + ':':<24}{value}", file=world.out)


def _nodes(replicas: Sequence[QuorumReplica], view: QuorumView) -> str:
    return f"[{', '.join(_node(one, view) for one in replicas)}]"


def _node(replica: QuorumReplica, view: QuorumView) -> str:
    fields = [f'"id": {replica.replica_id}']
    if replica.directory_id is not None:
        fields.append(f'"directoryId": "{replica.directory_id}"')
    places = view.endpoints.get(replica.replica_id, ())
    if places:
        shown = ", ".join(f'"{one.listener}://{one.host}:{one.port}"' for one in places)
        fields.append(f'"endpoints": [{shown}]')
    return f"{{{', '.join(fields)}}}"


def _print_replication(view: QuorumView, world: World, *, ago: bool) -> None:
    leader = _leader(view)
    followers = [one for one in view.voters if one is not leader]
    rows = [
        _row(one, status, leader, world.clock.now_ms(), ago=ago)
        for status, replicas in (
            ("Leader", [leader]),
            ("Follower", followers),
            ("Observer", view.observers),
        )
        for one in replicas
    ]
    print_table(HEADS, rows, world)


def _row(
    replica: QuorumReplica, status: str, leader: QuorumReplica, now_ms: int, *, ago: bool
) -> list[object]:
    times = [
        NOT_KNOWN if time is None else f"{now_ms - time} ms ago" if ago else time
        for time in (replica.last_fetch_ms, replica.last_caught_up_ms)
    ]
    lag = leader.log_end_offset - replica.log_end_offset
    directory = replica.directory_id or NO_DIRECTORY
    return [replica.replica_id, directory, replica.log_end_offset, lag, *times, status]


def _remove(given: Given, world: World) -> None:
    voter, text = given.number("controller-id") or 0, given.text("controller-directory-id") or ""
    if voter < 0:
        raise ToolFailedError(f"Invalid negative --controller-id: {voter}")
    try:
        directory = uuid_text(parse_uuid(text))
    except DecodeError:
        raise ToolFailedError(
            f"Failed to parse --controller-directory-id: Input string `{text}` decoded as "
            f"{len(text) * 3 // 4} bytes, which is not equal to the expected 16 bytes of a "
            "base64-encoded UUID"
        ) from None
    what = f"KRaft controller {voter} with directory id {directory}"
    if given.has(DRY_RUN.name):
        print(f"DRY RUN of removing  {what}", file=world.out)
        return
    with admin_of(given, world) as admin:
        admin.remove_raft_voter(voter, directory)
    print(f"Removed {what}", file=world.out)


def _add(given: Given, world: World) -> None:
    path = given.text(COMMAND_CONFIG.name)
    if path is None:
        raise ToolFailedError(
            "You must supply the configuration file of the controller you are adding when using "
            "add-controller."
        )
    settings = properties_of(world.files, path)
    voter = _controller_id(settings)
    directory = _directory_id(settings, world.files)
    places = _listeners(settings)
    shown = ", ".join(f"{one.listener}://{one.host}:{one.port}" for one in places)
    what = f"controller {voter} with directory id {directory} and endpoints: {shown}"
    if given.has(DRY_RUN.name):
        print(f"DRY RUN of adding {what}", file=world.out)
        return
    with _admin_beside(given, settings) as admin:
        admin.add_raft_voter(voter, directory, places)
    print(f"Added {what}", file=world.out)


def _admin_beside(given: Given, settings: Mapping[str, str]) -> Admin:
    """The file has settings of a node; those of logins and certificates are a client's too."""
    own: dict[str, object] = {
        key: value for key, value in settings.items() if key.startswith(OF_CLIENTS)
    }
    kind = BOOTSTRAP if given.has(BOOTSTRAP.name) else CONTROLLERS
    own[f"{kind.name.replace('-', '.')}s"] = given.text(kind.name)
    return clients.Admin(own)


def _controller_id(settings: Mapping[str, str]) -> int:
    if "node.id" not in settings:
        raise ToolFailedError(f"node.id not found {NOT_A_CONTROLLERS}")
    if "controller" not in settings.get("process.roles", ""):
        raise ToolFailedError(f"process.roles did not contain 'controller' {NOT_A_CONTROLLERS}")
    text = settings["node.id"]
    if not text.isdecimal():
        raise ToolFailedError(f"node.id was negative in configuration file: {text}")
    return int(text)


def _directory_id(settings: Mapping[str, str], files: Files) -> str:
    """From the directory that has the log of metadata."""
    named = settings.get("metadata.log.dir") or settings.get("log.dirs") or settings.get("log.dir")
    if not named:
        raise ToolFailedError("neither metadata.log.dir nor log.dirs is in the configuration file")
    path = f"{named.split(',')[0].strip()}/meta.properties"
    if files.status(path) is None:
        raise ToolFailedError(f"Unable to read meta.properties from {path}")
    found = parse_properties(read_whole(files, path)).get("directory.id")
    if found is None:
        raise ToolFailedError(f"No directory id found in {path}")
    return found


def _listeners(settings: Mapping[str, str]) -> list[VoterEndpoint]:
    names = [name.strip() for name in settings.get("controller.listener.names", "").split(",")]
    text = settings.get("advertised.listeners") or settings.get("listeners", "")
    found = []
    for place in text.split(","):
        name, _, address = place.strip().partition("://")
        host, _, port = address.rpartition(":")
        if name in names and port.isdecimal():
            found.append(VoterEndpoint(name, host or "localhost", int(port)))
    if not found:
        raise ToolFailedError("no listener of controllers is in the configuration file")
    return found
