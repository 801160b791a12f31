"""Which broker to ask where any would do, and when to try one again that could not be reached.

Brokers that are connected come first, then the others in an order that is drawn, so that many
clients spread over the cluster. Addresses given by the user are for the beginning, and for the day
when none of the known brokers can be reached any more (KIP-899, KIP-1102).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from moldau.client.errors import UnreachableError
from moldau.network.outgoing.backoff import Backoff
from moldau.platform.ports.network import Address
from moldau.platform.ports.randomness import Random

__all__ = ["Reachability", "candidates"]


def candidates(
    brokers: Iterable[Address],
    bootstrap: Iterable[Address],
    connected: Collection[Address],
    random: Random,
) -> list[Address]:
    """Every broker that could be asked, the best first."""
    known = _shuffled(dict.fromkeys(brokers), random)
    given = [address for address in _shuffled(bootstrap, random) if address not in known]
    return [
        *sorted(known, key=lambda address: address not in connected),
        *sorted(given, key=lambda address: address not in connected),
    ]


def _shuffled(addresses: Iterable[Address], random: Random) -> list[Address]:
    order = list(addresses)
    for index in range(len(order) - 1, 0, -1):
        other = random.randrange(0, index + 1)
        order[index], order[other] = order[other], order[index]
    return order


class Reachability:
    """What could not be reached lately, and until when it is not tried."""

    def __init__(self, backoff: Backoff) -> None:
        self._backoff = backoff
        self._failures: dict[Address, tuple[int, float, UnreachableError]] = {}

    def refusal(self, address: Address, now_ms: int) -> UnreachableError | None:
        """The last failure, while it is too early for a new try."""
        _, not_before_ms, error = self._failures.get(address, (0, 0.0, None))
        return error if now_ms < not_before_ms else None

    def failed(self, address: Address, error: UnreachableError, now_ms: int) -> bool:
        """Keep away from it for a while; whether this is the first failure in a row."""
        tries, _, _ = self._failures.get(address, (0, 0.0, error))
        not_before_ms = now_ms + self._backoff.wait_ms(tries)
        self._failures[address] = (tries + 1, not_before_ms, error)
        return tries == 0

    def reached(self, address: Address) -> None:
        self._failures.pop(address, None)
