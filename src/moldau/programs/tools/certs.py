"""`moldau certs`: an authority, and certificates for nodes and clients, in one call.

    moldau certs                                      for a node on this machine, and a client
    moldau certs --node kafka-1,10.0.0.5 --client alice --client bob
    moldau certs --client carol                       one more, by the authority that is there

For each there is NAME.pem (key and certificates), NAME.p12 (the same for Java) and NAME.properties,
which a node's or a client's settings can take over as they are. Keys and passwords can be read by
their owner alone. What is there stays: an authority is used again, a name is made once.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import NamedTuple

from moldau.errors import MoldauError
from moldau.platform.ports.files import read_whole
from moldau.platform.system.authority import Authority, Issued
from moldau.platform.system.temporary import absolute_path
from moldau.programs.tools.command import World

__all__ = ["declare", "run"]

DIRECTORY = "certs"
DAYS = 825
"""The longest that clients of other kinds accept of a server, too."""
AUTHORITY, CERTIFICATE, TRUSTED = "ca-key.pem", "ca.pem", "truststore.p12"
NODE_HOSTS = ("localhost", "127.0.0.1", "::1")
PASSWORD = "password"  # noqa: S105  # a name of a file
PASSWORD_BYTES = 18


class _Wanted(NamedTuple):
    """One certificate, to be made."""

    kind: str
    name: str
    hosts: tuple[str, ...]


class _Made(NamedTuple):
    """One certificate, to be shown."""

    kind: str
    name: str
    hosts: tuple[str, ...]
    issued: Issued


def declare(parser: ArgumentParser) -> None:
    parser.add_argument(
        "-d", "--directory", default=DIRECTORY, metavar="DIR", help="where they go (certs)"
    )
    parser.add_argument(
        "-n",
        "--node",
        action="append",
        default=[],
        metavar="HOST[,HOST...]",
        help="a node, by all names and addresses under which it is reached; may be repeated",
    )
    parser.add_argument(
        "-c",
        "--client",
        action="append",
        default=[],
        metavar="NAME",
        help="a client, by its common name or a whole name (CN=alice,O=Company); may be repeated",
    )
    parser.add_argument(
        "--days", type=int, default=DAYS, metavar="N", help=f"how long they hold ({DAYS})"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would be made, and write nothing"
    )


def run(options: Namespace, world: World) -> int:
    if options.days < 1:
        raise MoldauError(f"--days is {options.days}, and a certificate holds for 1 day or more")
    shop = _Directory(absolute_path(options.directory), world, options.days)
    wanted = list(_all_wanted(options, shop))
    if options.dry_run:
        _print_plan(shop, wanted, world)
        return 0
    authority = shop.authority()
    made = [shop.make(authority, one) for one in wanted]
    if options.json:
        _print_json(shop, made, world)
    else:
        _print_text(shop, made, world)
    return 0


def _all_wanted(options: Namespace, directory: _Directory) -> Iterator[_Wanted]:
    nodes, clients = options.node, options.client
    if not nodes and not clients and not directory.has_authority:
        nodes, clients = [",".join(NODE_HOSTS)], ["client"]
    if not nodes and not clients:
        raise MoldauError(
            f"{directory.path} has an authority already: say --node HOST or --client NAME for "
            "another certificate of it"
        )
    for text in nodes:
        hosts = tuple(host.strip() for host in text.split(",") if host.strip())
        if not hosts:
            raise MoldauError("--node needs a host")
        yield _Wanted("node", hosts[0], hosts)
    for name in clients:
        yield _Wanted("client", name, ())


class _Directory:
    """The files, and who made them."""

    def __init__(self, path: str, world: World, days: int) -> None:
        self.path = path
        self._world = world
        self._days = days

    @property
    def has_authority(self) -> bool:
        return self._world.files.status(self.place(AUTHORITY)) is not None

    def place(self, name: str) -> str:
        return f"{self.path}/{name}"

    def authority(self) -> Authority:
        """The one that is there, or a fresh one."""
        if self.has_authority:
            pem = read_whole(self._world.files, self.place(AUTHORITY)).decode(errors="replace")
            return Authority.read(pem)
        self._world.files.make_directory(self.path)
        authority = Authority.made("Moldau development CA", self._world.clock.now_ms(), self._days)
        self._write(AUTHORITY, authority.pem.encode(), is_secret=True)
        self._write(CERTIFICATE, authority.certificate_pem.encode())
        self._write(TRUSTED, authority.trust_store(self.password()))
        return authority

    def password(self) -> str:
        """The password of all stores here."""
        if self._world.files.status(self.place(PASSWORD)) is None:
            self._write(PASSWORD, self._world.random.randbytes(PASSWORD_BYTES).hex().encode(), True)
        return read_whole(self._world.files, self.place(PASSWORD)).decode().strip()

    def free_name(self, name: str) -> str:
        """How the files of this name begin, if there are none."""
        base = _file_name(name)
        if self._world.files.status(self.place(f"{base}.pem")) is not None:
            raise MoldauError(
                f"{self.place(base)}.pem is there already; remove it, or choose another name"
            )
        return base

    def make(self, authority: Authority, wanted: _Wanted) -> _Made:
        kind, name, hosts = wanted
        base = self.free_name(name)
        issued = authority.issue(name, hosts, self._world.clock.now_ms(), self._days)
        self._write(f"{base}.pem", issued.pem.encode(), is_secret=True)
        self._write(f"{base}.p12", issued.pkcs12(self.password()), is_secret=True)
        self._write(f"{base}.properties", self._settings(base, kind).encode(), is_secret=True)
        return _Made(kind, name, hosts, issued)

    def _settings(self, base: str, kind: str) -> str:
        protocol = "security.protocol=SSL\n" if kind == "client" else ""
        return (
            f"{protocol}ssl.keystore.type=PEM\nssl.keystore.location={self.place(base)}.pem\n"
            f"ssl.truststore.type=PEM\nssl.truststore.location={self.place(CERTIFICATE)}\n"
        )

    def _write(self, name: str, contents: bytes, is_secret: bool = False) -> None:
        file = self._world.files.open(self.place(name), create=True)
        try:
            if is_secret:
                self._world.files.make_private(self.place(name))
            file.append(contents)
        finally:
            file.close()


def _file_name(name: str) -> str:
    """`alice` of `CN=alice,O=Company`."""
    first = name.partition(",")[0].rpartition("=")[2].strip()
    if not first or "/" in first or first.startswith("."):
        raise MoldauError(f"{name!r} gives no name for a file")
    return first.replace(":", "-").replace("*", "any")


def _print_plan(directory: _Directory, wanted: list[_Wanted], world: World) -> None:
    if not directory.has_authority:
        print(f"DRY RUN of making an authority in {directory.path}", file=world.out)
    for kind, name, hosts in wanted:
        named = f", {', '.join(hosts)}" if hosts else ""
        base = directory.place(directory.free_name(name))
        print(f"DRY RUN of making {base}.pem: a {kind}{named}", file=world.out)


def _print_text(directory: _Directory, made: list[_Made], world: World) -> None:
    lines = [f"{CERTIFICATE:<16} the authority: who connects trusts it ({TRUSTED} for Java)"]
    for one in made:
        whom = f"a {one.kind}, {', '.join(one.hosts) or one.issued.subject}"
        lines.append(
            f"{_file_name(one.name) + '.pem':<16} {whom}, until {one.issued.ends:%Y-%m-%d}"
        )
    lines.append(f"{PASSWORD:<16} of the .p12 files, which have the same for Java")
    world.out.write(f"In {directory.path}:\n" + "".join(f"  {line}\n" for line in lines))
    for one in made:
        world.out.write(f"Settings of the {one.kind}: {_file_name(one.name)}.properties\n")


def _print_json(directory: _Directory, made: list[_Made], world: World) -> None:
    shown = {
        "directory": directory.path,
        "authority": directory.place(CERTIFICATE),
        "truststore": directory.place(TRUSTED),
        "password_file": directory.place(PASSWORD),
        "certificates": [
            {
                "kind": one.kind,
                "subject": one.issued.subject,
                "hosts": list(one.hosts),
                "pem": directory.place(f"{_file_name(one.name)}.pem"),
                "pkcs12": directory.place(f"{_file_name(one.name)}.p12"),
                "settings": directory.place(f"{_file_name(one.name)}.properties"),
                "valid_until": one.issued.ends.isoformat(),
            }
            for one in made
        ],
    }
    world.out.write(json.dumps(shown, indent=2) + "\n")
