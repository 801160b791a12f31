"""`moldau console`: clusters on pages of a browser, beside any Kafka.

SIGTERM and Ctrl-C end it, after what was handed over has been sent.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence

from moldau.client.errors import ClientError
from moldau.client.schemas import RegistrySettings
from moldau.errors import FileMissingError, MoldauError
from moldau.platform.ports.files import read_whole
from moldau.platform.ports.network import Address
from moldau.platform.system.process import environment
from moldau.programs.console.checkpoint_folders import CheckpointFolders
from moldau.programs.console.formats.declared import declared_formats, installed_formats
from moldau.programs.console.formats.offered import Formats
from moldau.programs.console.formats.usual import UsualFormats
from moldau.programs.console.imported.cluster import ImportedCluster, ImportedFile
from moldau.programs.console.imported.file import read_clusters
from moldau.programs.console.reach import ConsoleSettings, console_registry
from moldau.programs.console.serving.guard import LOOPBACK
from moldau.programs.console.serving.oidc import oidc_settings
from moldau.programs.console.serving.served import ShownCluster
from moldau.programs.console.serving.service import ConsoleService
from moldau.programs.console.values.masking import Mask, Masks, mask_of
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import properties_of
from moldau.programs.tools.serving import (
    BOOTSTRAP,
    BOOTSTRAP_HELP,
    SERVERS,
    declare_listening,
    serve,
)

__all__ = ["declare", "run"]

LISTEN = Address("127.0.0.1", 8080)
BOOTSTRAP_SERVERS = "bootstrap.servers"


def declare(parser: ArgumentParser) -> None:
    cluster = parser.add_mutually_exclusive_group(required=True)
    cluster.add_argument(BOOTSTRAP, metavar=SERVERS, help=BOOTSTRAP_HELP)
    cluster.add_argument(
        "--config",
        metavar="FILE",
        help="take clusters from a file of YAML of kafbat UI or AKHQ: their servers, security, "
        "schema registries",
    )
    parser.add_argument(
        "--cluster",
        action="append",
        default=[],
        metavar="NAME",
        help="of the clusters in the file of --config, this one; may be repeated; all unless given",
    )
    declare_listening(parser, LISTEN)
    parser.add_argument(
        "--logins",
        action="store_true",
        help="each user logs in to the cluster by HTTP's Basic, and the cluster's access rules "
        "decide what the pages may show and change",
    )
    parser.add_argument(
        "--oidc-config",
        metavar="FILE",
        help="users log in at an identity provider (OpenID Connect), and the cluster gets their "
        "tokens: issuer, client.id, client.secret, redirect.uri, scope",
    )
    parser.add_argument(
        "--read-only", action="store_true", help="show changes and their commands, and run none"
    )
    parser.add_argument(
        "--mask",
        type=_mask,
        action="append",
        default=[],
        metavar="TOPICS:FIELD[,…]",
        help="hide fields of JSON values in topics with such names (* and ? as in a shell); the "
        "field * hides values as a whole; may be repeated",
    )
    parser.add_argument(
        "--format-config",
        metavar="FILE",
        help="formats of your own in Python that decode keys and values, and encode what is sent: "
        "formats, formats.NAME.decode, encode, topics, parts",
    )
    parser.add_argument(
        "--registry-url",
        type=_registry,
        metavar="URL[,…]",
        help="show keys and values decoded that name a schema of this registry",
    )
    parser.add_argument(
        "--pipeline",
        action="append",
        default=[],
        metavar="CHECKPOINT",
        help="show the pipeline that keeps its checkpoint in this folder; may be repeated",
    )


def run(options: Namespace, world: World) -> int:
    path = options.format_config
    given = {} if path is None else properties_of(world.files, path)
    formats = Formats(declared_formats(given, installed_formats()))
    clusters = [_shown(one, options, world, formats) for one in _clusters(options, world)]
    oidc_file = options.oidc_config
    oidc = None if oidc_file is None else oidc_settings(properties_of(world.files, oidc_file))
    return serve(
        options,
        world,
        lambda network, tasks: ConsoleService(
            clusters,
            network,
            tasks,
            world.clock,
            with_logins=options.logins,
            oidc=oidc,
            random=world.random,
            formats=formats,
        ),
    )


def _shown(
    cluster: ImportedCluster, options: Namespace, world: World, formats: Formats
) -> ShownCluster:
    path = options.command_config
    client = cluster.client | ({} if path is None else properties_of(world.files, path))
    client[BOOTSTRAP_SERVERS] = cluster.servers
    registry = console_registry(cluster.registry) if cluster.registry else None
    settings = ConsoleSettings(
        servers=cluster.servers,
        cluster=cluster.name or None,
        config_file=path,
        read_only=options.read_only or cluster.is_read_only,
        masks=Masks([*cluster.masks, *options.mask]),
        has_sessions=options.oidc_config is not None,
        pipelines=CheckpointFolders(options.pipeline, world.files),
        registry=options.registry_url or registry,
        formats=formats,
        usual=UsualFormats(tuple(cluster.usual)),
    )
    return ShownCluster(client, settings)


def _clusters(options: Namespace, world: World) -> Sequence[ImportedCluster]:
    """What the flags name, or what a file has, whose unused keys are named."""
    path = options.config
    if path is None and options.cluster:
        raise MoldauError("--cluster chooses of the clusters in a file: name it with --config")
    if path is None:
        return [ImportedCluster("", {BOOTSTRAP_SERVERS: options.bootstrap_server})]
    status = world.files.status(path)
    if status is None or status.is_directory:
        raise FileMissingError(path, "there is no such file of YAML")
    found = read_clusters(read_whole(world.files, path), path, environment())
    clusters = _chosen(found, path, options.cluster)
    _check(clusters, path, options)
    _ensure_logins(found.login, path, options)
    if found.unused:
        world.errors.write(f"moldau: not taken over of {path}: {', '.join(found.unused)}\n")
    for remark in _remarks(found):
        world.errors.write(f"moldau: {path}: {remark}\n")
    return clusters


def _remarks(found: ImportedFile) -> Iterator[str]:
    """About what the cluster decides here."""
    if found.login:
        flag = "--oidc-config" if found.login.lower().startswith("oauth") else "--logins"
        yield (
            f"auth.type {found.login} is not taken over: users log in by {flag} here, with names "
            "that the cluster knows, and its access rules decide what they see and change"
        )
    if found.roles:
        yield (
            f"the roles of rbac are not taken over ({', '.join(found.roles)}): grant them to users "
            "in the cluster, by moldau acls or on the page Roles, and have users log in by "
            "--logins or --oidc-config"
        )
    if found.unchanged:
        yield (
            f"no role of rbac may change anything of {', '.join(found.unchanged)}: the pages are "
            "read-only there"
        )


def _ensure_logins(login: str, path: str, options: Namespace) -> None:
    """`MoldauError` where others than those of this machine would be let in without one."""
    is_open = not options.logins and options.oidc_config is None
    if login and is_open and options.listen.host not in LOOPBACK:
        raise MoldauError(
            f"{path} lets no one in without a login (auth.type {login}): give --logins or "
            "--oidc-config, or listen on this machine alone"
        )


def _check(clusters: Sequence[ImportedCluster], path: str, options: Namespace) -> None:
    """`MoldauError` for what would show too much, or cannot be of several clusters."""
    if any(one.hides_more for one in clusters) and not options.mask:
        raise MoldauError(
            f"{path} masks fields of records: name them with --mask to hide them here"
        )
    flags = {"--registry-url": options.registry_url, "--pipeline": options.pipeline}
    for flag, given in flags.items():
        if given and len(clusters) > 1:
            raise MoldauError(f"{flag} is of one cluster: choose it with --cluster")


def _chosen(found: ImportedFile, path: str, names: Sequence[str]) -> Sequence[ImportedCluster]:
    """The clusters of these names, in this order, or all."""
    known = {cluster.name: cluster for cluster in found.clusters}
    for name in names:
        if name not in known:
            raise MoldauError(f"{path} has no cluster {name}; it has {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(names)] or found.clusters


def _registry(text: str) -> RegistrySettings:
    try:
        return console_registry({"url": text})
    except ClientError as error:
        raise ArgumentTypeError(str(error)) from None


def _mask(text: str) -> Mask:
    try:
        return mask_of(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None
