"""Cuts between nodes that are processes on one machine, without the rights of root:

    cluster.cut(1)        what node 1 sends the others, and they it, waits from now on
    cluster.heal()        and arrives

Between two nodes every connection is opened by one of them. So a cut is made by both: each holds
the connections that it has opened to the other, in both directions, and opens none. What is under
way is held, and not lost, as TCP's repetitions would bring it in the end; a connection that is
closed meanwhile ends for the other node when the cut is healed. Connections of clients are opened
by clients: they pass.

The node's process reads on its standard input from which addresses it is cut off, a line each time,
which names all of them, and answers each with a line on its standard output.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from moldau.platform.buffers import Buffer
from moldau.platform.ports.files import File
from moldau.platform.ports.network import Address, Link, Listener, Network, Receiver, TakeOver
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.platform.system.input_lines import on_input_line

if TYPE_CHECKING:
    from moldau.platform.ports.tls import Tls, TlsTerms

__all__ = ["CUT", "CuttableNetwork", "cut_by_input", "cut_line"]

CUT = "moldau: cut off from "
"""How the line begins with which a process answers."""


def cut_line(addresses: Iterable[str]) -> str:
    """What a process reads."""
    return " ".join(sorted(addresses))


def cut_by_input(network: Network, tasks: Tasks, out: TextIO) -> CuttableNetwork:
    """The network of a process whose standard input names from whom it is cut off."""
    cuttable = CuttableNetwork(network, tasks)

    def take(line: str) -> None:
        cuttable.cut({_address(text) for text in line.split()})
        out.write(f"{CUT}{line or 'none'}\n")
        out.flush()

    on_input_line(take)
    return cuttable


class CuttableNetwork:
    """A network on which addresses may be out of reach for a while."""

    def __init__(self, network: Network, tasks: Tasks) -> None:
        self._network = network
        self._tasks = tasks
        self._cut: Collection[Address] = ()
        self._links: dict[_CuttableLink, None] = {}
        self._waiting: list[Promise[None]] = []
        """Connections to what is cut off."""

    def cut(self, addresses: Collection[Address]) -> None:
        """These are out of reach from now on, and all others are not."""
        self._cut = addresses
        for link in list(self._links):
            link.hold(is_held=link.address in addresses)
        waiting, self._waiting = self._waiting, []
        for promise in waiting:
            promise.keep(None)

    async def listen(self, address: Address, take_over: TakeOver) -> Listener:
        return await self._network.listen(address, take_over)

    async def connect(self, address: Address, take_over: TakeOver) -> Link:
        """Nothing refuses at an address that is cut off: a connection waits."""
        while address in self._cut:
            healed: Promise[None] = self._tasks.promise()
            self._waiting.append(healed)
            await healed.wait()
        made: list[_CuttableLink] = []

        def take(inner: Link) -> Receiver:
            made.append(_CuttableLink(inner, address, self._links, self._tasks))
            made[0].receiver = take_over(made[0])
            return made[0]

        await self._network.connect(address, take)
        made[0].hold(is_held=address in self._cut)
        return made[0]

    def tls(self, terms: TlsTerms, *, is_server: bool) -> Tls:
        return self._network.tls(terms, is_server=is_server)

    def close(self) -> None:
        self._network.close()


class _CuttableLink:
    """A connection, and its owner as the connection sees it."""

    receiver: Receiver

    def __init__(
        self, inner: Link, address: Address, links: dict[_CuttableLink, None], tasks: Tasks
    ) -> None:
        self.address = address
        """As it was asked for."""
        self._inner = inner
        self._links = links
        self._tasks = tasks
        self._is_held = False
        self._is_paused = False
        self._is_left = False
        """Its owner has closed it, which is to arrive after the cut."""
        self._is_over = False
        self._unsent: list[Buffer] = []
        links[self] = None

    def hold(self, *, is_held: bool) -> None:
        """Let nothing pass, or again what has waited."""
        if is_held == self._is_held or self._is_over:
            return
        self._is_held = is_held
        if is_held:
            self._inner.pause()
            return
        unsent, self._unsent = self._unsent, []
        self._inner.send(*unsent)
        if self._is_left:
            self._inner.close()
        elif not self._is_paused:
            self._inner.resume()

    # As a link.

    @property
    def peer(self) -> Address:
        return self._inner.peer

    @property
    def unsent(self) -> int:
        return self._inner.unsent + sum(map(len, self._unsent))

    def receive_into(self, buffer: bytearray | memoryview) -> int:
        return 0 if self._is_held else self._inner.receive_into(buffer)

    def send(self, *buffers: Buffer) -> None:
        if self._is_held:
            self._unsent += buffers
        else:
            self._inner.send(*buffers)

    def send_file(
        self, file: File, position: int, size: int, before: Sequence[Buffer] = ()
    ) -> None:
        self.send(*before, file.read_at(position, size))

    def pause(self) -> None:
        self._is_paused = True
        self._inner.pause()

    def resume(self) -> None:
        self._is_paused = False
        if not self._is_held:
            self._inner.resume()

    def close(self) -> None:
        self._leave() if self._is_held else self._inner.close()

    def abort(self) -> None:
        self._leave() if self._is_held else self._inner.abort()

    def _leave(self) -> None:
        """For its owner it is over now."""
        if not self._is_left:
            self._is_left = True
            self._tasks.after(0, lambda: self.receiver.lost("closed here"))

    # As the owner of a link.

    def readable(self) -> None:
        self.receiver.readable()

    def all_sent(self) -> None:
        if not self._is_left:
            self.receiver.all_sent()

    def lost(self, reason: str) -> None:
        self._is_over = True
        self._links.pop(self, None)
        if not self._is_left:
            self.receiver.lost(reason)


def _address(text: str) -> Address:
    host, _, port = text.rpartition(":")
    return Address(host, int(port))
