"""Profiles: files of properties with what a client needs to reach a cluster, by short names.

    ~/.config/moldau/profiles/staging.properties

A file has `bootstrap.servers` and whatever settings of a client belong to that cluster, logins too,
so its owner alone may read it. `moldau --profile staging topics --list` is the call with the flags
`--bootstrap-server` and `--command-config` that the file stands for, and MOLDAU_PROFILE names the
profile of calls that name no servers. Java's tools read the same file by `--command-config`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from moldau.config.java_properties import format_properties, parse_properties
from moldau.errors import MoldauError
from moldau.platform.ports.files import Files, read_whole, replace_whole
from moldau.platform.system.process import environment
from moldau.programs.tools.command import Command
from moldau.programs.tools.kafka.tool import KafkaTool
from moldau.programs.tools.main import parser_for, tool_module_of

__all__ = [
    "SERVERS",
    "is_secret",
    "place_of",
    "profile_names",
    "read_profile",
    "remove_profile",
    "with_profile",
    "write_profile",
]

SERVERS = "bootstrap.servers"
SUFFIX = ".properties"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""So that a name is a name of a file, and no way to another directory."""
SECRETS = re.compile(r"password|secret|jaas|keystore\.key|private\.key")
FLAGS = ("--bootstrap-server", "--command-config")
FLAGS_OF_KCAT = ("-b", "-F")
HELP = "--help"
NAMES_CLUSTER = ("--bootstrap-server", "--bootstrap-controller", "--bootstrap-servers", "-b")


def _directory(environment: Mapping[str, str]) -> str:
    """Where this user's are."""
    base = environment.get("XDG_CONFIG_HOME") or f"{environment.get('HOME', '.')}/.config"
    return f"{base}/moldau/profiles"


def place_of(name: str, environment: Mapping[str, str]) -> str:
    if not NAME.fullmatch(name):
        raise MoldauError(
            f"'{name}' is no name of a profile: letters, digits, dots, dashes and underscores are"
        )
    return f"{_directory(environment)}/{name}{SUFFIX}"


def profile_names(files: Files, environment: Mapping[str, str]) -> list[str]:
    directory = _directory(environment)
    if files.status(directory) is None:
        return []
    return [
        one.removesuffix(SUFFIX) for one in sorted(files.list(directory)) if one.endswith(SUFFIX)
    ]


def read_profile(files: Files, name: str, environment: Mapping[str, str]) -> dict[str, str]:
    place = place_of(name, environment)
    if files.status(place) is None:
        known = ", ".join(profile_names(files, environment)) or "none"
        raise MoldauError(
            f"there is no profile {name} ({known} so far): moldau profile set makes one"
        )
    return parse_properties(read_whole(files, place))


def write_profile(
    files: Files, name: str, settings: Mapping[str, str], environment: Mapping[str, str]
) -> None:
    """In one step, and for its owner alone from the first byte."""
    place = place_of(name, environment)
    files.make_directory(_directory(environment))
    temporary = f"{place}.tmp"  # the name under which replace_whole writes
    files.open(temporary, create=True).close()
    files.make_private(temporary)
    replace_whole(files, place, format_properties(dict(sorted(settings.items()))))


def remove_profile(files: Files, name: str, environment: Mapping[str, str]) -> None:
    read_profile(files, name, environment)  # or there is nothing to remove
    files.remove(place_of(name, environment))


def is_secret(key: str) -> bool:
    """Whether the value of a setting is never shown."""
    return SECRETS.search(key) is not None


def with_profile(
    name: str, command: Command | KafkaTool, given: Sequence[str], files: Files
) -> list[str]:
    """The words of a call with the flags that a profile adds; what is given wins.

    A command that asks no cluster, or one that is named in the call, needs nothing of it.
    """
    flags = _flags_of(command)
    if flags is None or any(word.partition("=")[0] in (*NAMES_CLUSTER, HELP) for word in given):
        return list(given)
    variables = environment()
    settings = read_profile(files, name, variables)
    if SERVERS not in settings:
        raise MoldauError(f"profile {name} has no {SERVERS}: moldau profile set adds it")
    servers, config = flags
    added = [servers, settings[SERVERS]]
    if not any(word.partition("=")[0] == config for word in given):
        added += [config, place_of(name, variables)]
    return [*added, *given]


def _flags_of(command: Command | KafkaTool) -> tuple[str, str] | None:
    """Its flags for servers and for a file of settings."""
    if isinstance(command, KafkaTool):
        known = {flag.name for flag in tool_module_of(command).FLAGS}
        return FLAGS if {"bootstrap-server", "command-config"} <= known else None
    taken = {flag for action in parser_for(command)._actions for flag in action.option_strings}
    return next((flags for flags in (FLAGS, FLAGS_OF_KCAT) if taken.issuperset(flags)), None)
