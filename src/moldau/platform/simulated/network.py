"""Hosts in one simulated world, the ways between them, and what befalls both.

Each host has its own `SimulatedNetwork`. Bytes take a drawn time for each way. A way that is cut
holds what is on it until it is healed, as TCP's repetitions would bring it in the end; each
direction is cut by itself. A host that crashes resets its connections, as a killed process does;
one that vanishes sends nothing, as a power cut does, and its peers stay half-open.
"""

from __future__ import annotations

from collections.abc import Callable

from moldau.errors import AddressRefusesError, NetworkError
from moldau.platform.ports.network import Address, TakeOver
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.platform.ports.tls import Tls, TlsError, TlsTerms
from moldau.platform.quick_dataclass import dataclass
from moldau.platform.simulated.link import SimulatedLink

__all__ = ["Path", "SimulatedListener", "SimulatedNetwork", "SimulatedWorld"]

EPHEMERAL_PORT_MIN = 32768
"""Where the ports begin that are given where none is asked for."""
ANY_HOST = ""


@dataclass(frozen=True, slots=True)
class Path:
    """The way from one host to another."""

    world: SimulatedWorld
    source: str
    target: str

    def carry(self, link: SimulatedLink) -> None:
        """Bring what is first under way on `link` to its other end, after a while."""
        self.world.tasks.after(self.world.draw_delay_ms(), lambda: self._arrive(link))

    def _arrive(self, link: SimulatedLink) -> None:
        if not self.world.hold(self, link):
            link.deliver()

    def soon(self, action: Callable[[], None]) -> None:
        self.world.tasks.after(0, action)


class SimulatedWorld:
    """All hosts, and the ways between them."""

    def __init__(
        self, tasks: Tasks, random: Random, delay_ms: tuple[float, float] = (0.05, 0.5)
    ) -> None:
        self.tasks = tasks
        self.delay_ms = delay_ms
        """The shortest and the longest time of one way."""
        self._random = random
        self._hosts: dict[str, SimulatedNetwork] = {}
        self._held: dict[tuple[str, str], list[SimulatedLink]] = {}
        """The ways that are cut, and what waits before them, once for each piece."""

    def host(self, name: str) -> SimulatedNetwork:
        """The network as that host sees it."""
        return self._hosts.setdefault(name, SimulatedNetwork(self, name))

    def draw_delay_ms(self) -> float:
        shortest, longest = self.delay_ms
        return shortest + (longest - shortest) * self._random.random()

    def cut(self, source: str, target: str) -> None:
        """Nothing more gets from `source` to `target`; the way back is another one."""
        self._held.setdefault((source, target), [])

    def heal(self, source: str, target: str) -> None:
        for link in self._held.pop((source, target), []):
            link.path.carry(link)

    def is_cut(self, source: str, target: str) -> bool:
        return (source, target) in self._held

    def hold(self, path: Path, link: SimulatedLink) -> bool:
        """Whether what comes along on `path` has to wait for its healing."""
        held = self._held.get((path.source, path.target))
        if held is None:
            return False
        held.append(link)
        return True

    def crash(self, host: str) -> None:
        """The process died: its listeners are gone and its peers see the links end."""
        self.host(host).close()

    def vanish(self, host: str) -> None:
        """The machine lost power: its listeners and links are gone, without a sign to its peers."""
        self.host(host).forget_everything()

    async def reach(self, source: str, address: Address) -> SimulatedListener:
        """The listener at that address, or `NetworkError`; behind a cut, nothing for ever."""
        for way in ((source, address.host), (address.host, source)):
            await self.tasks.sleep(self.draw_delay_ms())
            if self.is_cut(*way):
                await self.tasks.promise().wait()
        listener = self.host(address.host).listeners.get(address.port)
        if listener is None:
            raise AddressRefusesError(str(address), "connection refused")
        return listener


class SimulatedListener:
    """An open listener of a host."""

    def __init__(self, network: SimulatedNetwork, address: Address, take_over: TakeOver) -> None:
        self.address = address
        self.take_over = take_over
        self._network = network

    def close(self) -> None:
        self._network.listeners.pop(self.address.port, None)


class SimulatedNetwork:
    """The network as one host sees it."""

    def __init__(self, world: SimulatedWorld, host: str) -> None:
        self.listeners: dict[int, SimulatedListener] = {}
        self._world = world
        self._host = host
        self._links: list[SimulatedLink] = []
        self._next_port = EPHEMERAL_PORT_MIN

    async def listen(self, address: Address, take_over: TakeOver) -> SimulatedListener:
        if address.host not in (ANY_HOST, self._host):
            raise NetworkError(str(address), "cannot assign requested address")
        if address.port in self.listeners:
            raise NetworkError(str(address), "address already in use")
        place = Address(self._host, address.port or self._free_port())
        listener = self.listeners[place.port] = SimulatedListener(self, place, take_over)
        return listener

    async def connect(self, address: Address, take_over: TakeOver) -> SimulatedLink:
        listener = await self._world.reach(self._host, address)
        here = Address(self._host, self._free_port())
        link = self._open(address)
        link.other = self._world.host(address.host)._open(here)
        link.other.other = link
        link.other.belongs_to(listener.take_over(link.other))
        link.belongs_to(take_over(link))
        return link

    def tls(self, terms: TlsTerms, *, is_server: bool) -> Tls:
        raise TlsError(f"the host {self._host} is simulated, and speaks no TLS")

    def close(self) -> None:
        self.listeners.clear()
        for link in self._links:
            link.abort()
        self._links.clear()

    def forget_everything(self) -> None:
        """Lose all listeners and links without a packet to any peer."""
        self.listeners.clear()
        for link in self._links:
            link.vanish()
        self._links.clear()

    def _open(self, peer: Address) -> SimulatedLink:
        link = SimulatedLink(Path(self._world, self._host, peer.host), peer)
        self._links = [known for known in self._links if not known.is_over]
        self._links.append(link)
        return link

    def _free_port(self) -> int:
        self._next_port += 1
        return self._next_port
