"""`moldau profile`: names for clusters, with the settings that clients of each need.

moldau profile set staging bootstrap.servers=broker:9092 security.protocol=SASL_SSL
moldau profile set staging sasl.jaas.config=-           the secret comes by standard input
moldau profile list
moldau profile show staging
moldau --profile staging topics --list
moldau profile remove staging
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from moldau.errors import MoldauError
from moldau.platform.system.process import environment
from moldau.programs.tools.command import World, declare_output
from moldau.programs.tools.profiles import (
    SERVERS,
    is_secret,
    profile_names,
    read_profile,
    remove_profile,
    write_profile,
)

__all__ = ["declare", "run"]

TYPED = "-"
HIDDEN = "[hidden]"


def declare(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=("list", "show", "set", "remove"), help="what to do")
    parser.add_argument("name", nargs="?", help="what the cluster is called")
    parser.add_argument(
        "settings",
        nargs="*",
        metavar="KEY=VALUE",
        help="settings of clients; KEY=- takes a line of standard input, KEY= forgets the setting",
    )
    declare_output(parser)


def run(options: Namespace, world: World) -> int:
    if options.action == "list":
        return _list(world)
    if options.name is None:
        raise MoldauError(f"profile {options.action} needs the name of a profile")
    if options.action == "show":
        return _show(options.name, world)
    if options.action == "remove":
        remove_profile(world.files, options.name, environment())
        print(f"Removed profile {options.name}.", file=world.out)
        return 0
    return _set(options.name, options.settings, world)


def _list(world: World) -> int:
    variables = environment()
    names = profile_names(world.files, variables)
    servers = [read_profile(world.files, name, variables).get(SERVERS) for name in names]
    rows = list(zip(names, servers, strict=True))
    if not world.takes(("PROFILE", "SERVERS"), rows):
        for name, places in rows:
            print(f"{name}  {places or 'no bootstrap.servers'}", file=world.out)
    return 0


def _show(name: str, world: World) -> int:
    found = read_profile(world.files, name, environment())
    rows = [(key, HIDDEN if is_secret(key) else value) for key, value in sorted(found.items())]
    if not world.takes(("KEY", "VALUE"), rows):
        for key, value in rows:
            print(f"{key}={value}", file=world.out)
    return 0


def _set(name: str, words: Sequence[str], world: World) -> int:
    variables = environment()
    known = name in profile_names(world.files, variables)
    settings = read_profile(world.files, name, variables) if known else {}
    typed = iter(world.typed)
    for word in words:
        key, equals, value = word.partition("=")
        if not (key and equals):
            raise MoldauError(f"'{word}' is no setting: write it as KEY=VALUE")
        if value == TYPED:
            value = next(typed, b"").decode(errors="replace").rstrip("\r\n")
        elif value and is_secret(key):
            raise MoldauError(
                f"{key} is a secret, and others see what stands on a command line: write {key}=- "
                "and give the value on standard input"
            )
        settings[key] = value
    write_profile(
        world.files, name, {key: value for key, value in settings.items() if value}, variables
    )
    print(
        f"Profile {name} has {len([one for one in settings.values() if one])} settings.",
        file=world.out,
    )
    return 0
