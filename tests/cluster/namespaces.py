"""Hosts of a network of their own: network namespaces around a router that may drop packets.

    with Hosts(["n1", "n2", "clients"]) as hosts:
        hosts.within("n1")                  the words before a command that shall run there
        with hosts.entered("clients"):      this thread is there, with threads that it starts
            ...
        hosts.cut("n1", "n2")               what n1 sends to n2 is dropped; the other way is open
        hosts.heal()

Each host has a subnet with the router, which forwards between them. A cut is a rule of its routing:
packets vanish as on a broken cable, connections stay open, and neither end gets any notice.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["Hosts", "NotPermittedError"]

NAMED = Path("/run/netns")
HERE = Path("/proc/thread-self/ns/net")
CLONE_NEWNET = 0x40000000
"""Of sched.h: a namespace of networks."""
FORWARDS = "echo 1 > /proc/sys/net/ipv4/ip_forward"


class NotPermittedError(Exception):
    """This process may not make namespaces."""


class Hosts:
    """See the head of the file."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self._cuts: list[tuple[str, str]] = []
        self._router = self._space("router")

    def __repr__(self) -> str:
        return f"Hosts({', '.join(self.names)}; cut: {self._cuts or 'nothing'})"

    def address(self, name: str) -> str:
        return f"10.77.{self.names.index(name) + 1}.2"

    def within(self, name: str) -> list[str]:
        return ["ip", "netns", "exec", self._space(name)]

    @contextmanager
    def entered(self, name: str) -> Iterator[None]:
        with HERE.open() as before, (NAMED / self._space(name)).open() as there:
            _enter(there.fileno())
            try:
                yield
            finally:
                _enter(before.fileno())

    def cut(self, sender: str, receiver: str) -> None:
        self._rule("add", sender, receiver)
        self._cuts.append((sender, receiver))

    def heal(self) -> None:
        while self._cuts:
            self._rule("del", *self._cuts.pop())

    def __enter__(self) -> Self:
        made = subprocess.run(
            ["ip", "netns", "add", self._router], capture_output=True, text=True, check=False
        )
        if made.returncode:
            raise NotPermittedError(made.stderr.strip())
        try:
            _ip("netns", "exec", self._router, "sh", "-c", FORWARDS)
            for name in self.names:
                self._join(name)
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._remove()

    def _space(self, name: str) -> str:
        return f"moldau-{os.getpid()}-{name}"

    def _join(self, name: str) -> None:
        """A link between the host and the router, and the way to all others over it."""
        space, router, address = self._space(name), self._router, self.address(name)
        gateway = f"{address[:-1]}1"
        _ip("netns", "add", space)
        peer = ["peer", "name", "way", "netns", space]
        _ip("link", "add", name, "netns", router, "type", "veth", *peer)
        for owner, link, own in ((router, name, gateway), (space, "way", address)):
            _ip("-n", owner, "address", "add", f"{own}/24", "dev", link)
            _ip("-n", owner, "link", "set", link, "up")
        _ip("-n", space, "link", "set", "lo", "up")
        _ip("-n", space, "route", "add", "default", "via", gateway)

    def _rule(self, verb: str, sender: str, receiver: str) -> None:
        way = ["from", self.address(sender), "to", self.address(receiver)]
        _ip("-n", self._router, "rule", verb, *way, "blackhole")

    def _remove(self) -> None:
        """A namespace is gone with the last process in it."""
        for name in (*self.names, "router"):
            if (NAMED / self._space(name)).exists():
                _ip("netns", "del", self._space(name))


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def _enter(descriptor: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(descriptor, CLONE_NEWNET):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
