"""Asks other controllers, each request in a task of its own, and posts what comes back."""

from __future__ import annotations

from collections.abc import Callable

from moldau.broker.log.settings import MIB
from moldau.broker.quorum.effects import EndQuorumEpoch, FetchSnapshot
from moldau.broker.quorum.events import SnapshotFetched, SnapshotPieceFetched, Unreachable
from moldau.broker.quorum.voters import VoterSet
from moldau.broker.runtime.quorum.membership import Identity
from moldau.broker.runtime.quorum.outgoing_messages import (
    Peers,
    Post,
    RequestEffect,
    event_from,
    event_from_refusal,
    refusal_of,
    request_for,
    snapshot_request,
)
from moldau.broker.runtime.quorum.places import Places
from moldau.broker.runtime.quorum.snapshot_store import SnapshotStore
from moldau.errors import AddressRefusesError, KafkaError, MoldauError, NetworkError
from moldau.platform.ports.network import Address
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Task, Tasks
from moldau.protocol.messages.quorum.fetch_snapshot import FetchSnapshotResponse

TROUBLES_MAX = 100
UNKNOWN_NODE = -1
"""The node of an address that no known node has."""


class OutgoingRequests:
    """The requests of one member."""

    def __init__(
        self,
        identity: Identity,
        peers: Peers | None,
        tasks: Tasks,
        random: Random,
        post: Post,
        *,
        bootstrap: tuple[Address, ...] = (),
        timeout_ms: int = 2000,
        listener: str | None = None,
        fetch_bytes_max: int = MIB,
        piece_bytes_max: int = MIB,
    ) -> None:
        self._identity = identity
        self._peers = peers
        self._tasks = tasks
        self._random = random
        self._post = post
        self._bootstrap = bootstrap
        self._timeout_ms = timeout_ms
        self._fetch_bytes_max, self._piece_bytes_max = fetch_bytes_max, piece_bytes_max
        self._resignations: list[Task] = []
        self._troubles: dict[Address, str] = {}
        self.places = Places(next(iter(identity.endpoints), None) if listener is None else listener)

    def ask(self, effect: RequestEffect, voters: VoterSet) -> None:
        """Send it; the answer, or that there is none, comes as an event."""
        found = self._whom(effect, voters)
        if found is not None and self._peers is not None:
            node_id, address = found
            name = f"quorum-{type(effect).__name__.lower()}-{node_id}"
            task = self._tasks.spawn(name, self._exchange(self._peers, effect, node_id, address))
            if isinstance(effect, EndQuorumEpoch):
                self._resignations.append(task)

    @property
    def troubles(self) -> list[str]:
        """Why the last requests to each place failed that did."""
        return [f"{address}: {why}" for address, why in self._troubles.items()]

    def _note(self, address: Address, trouble: str | None) -> None:
        """How the last request to that place went."""
        if trouble is None:
            self._troubles.pop(address, None)
        elif address in self._troubles or len(self._troubles) < TROUBLES_MAX:
            self._troubles[address] = trouble.removeprefix(f"{address}: ")

    async def resignations_sent(self) -> None:
        """Return when EndQuorumEpoch has reached every voter that can be reached."""
        while self._resignations:
            await self._resignations.pop()

    def fetch_snapshot(self, effect: FetchSnapshot, voters: VoterSet, store: SnapshotStore) -> None:
        """Load it piece by piece; `SnapshotFetched` comes when all of it is on the disk."""
        address = self.places.of(effect.to, voters)
        if address is None or self._peers is None:
            self._post(Unreachable(effect.to))
            return
        loading = self._load(self._peers, effect, address, store)
        self._tasks.spawn(f"quorum-snapshot-{effect.snapshot}", loading)

    def _whom(self, effect: RequestEffect, voters: VoterSet) -> tuple[int, Address] | None:
        if effect.to is None:
            return self._bootstrap_server(voters)
        node_id = effect.to if isinstance(effect.to, int) else effect.to.node_id
        address = self.places.of(node_id, voters)
        return None if address is None else (node_id, address)

    def _bootstrap_server(self, voters: VoterSet) -> tuple[int, Address] | None:
        places = [
            (voter.key.node_id, self.places.of_voter(voter))
            for voter in voters.others(self._identity.node_id)
            if voter.endpoints
        ] or [(UNKNOWN_NODE, address) for address in self._bootstrap]
        return places[self._random.randrange(0, len(places))] if places else None

    async def _exchange(
        self, peers: Peers, effect: RequestEffect, node_id: int, address: Address
    ) -> None:
        request = request_for(effect, self._identity, self._fetch_bytes_max, self._timeout_ms)
        try:
            response = await peers.ask(address, request, self._timeout_ms)
            self.places.note_answer(response)
            event = event_from(effect, node_id, response)
            self._note(address, refusal_of(response))
        except (NetworkError, TimeoutError) as error:
            self._note(address, str(error) or f"no answer within {self._timeout_ms:,} ms")
            event = Unreachable(node_id, isinstance(error, AddressRefusesError))
        except MoldauError as error:
            self._note(address, str(error))
            event = event_from_refusal(effect, error)
        self._post(event or Unreachable(node_id))

    async def _load(
        self, peers: Peers, effect: FetchSnapshot, address: Address, store: SnapshotStore
    ) -> None:
        part = store.begin(effect.snapshot)
        try:
            await self._load_pieces(peers, effect, address, part.append)
        except (MoldauError, TimeoutError):
            part.discard()
            self._post(Unreachable(effect.to))
            return
        await self._tasks.offload(part.seal)
        self._post(SnapshotFetched(effect.snapshot))

    async def _load_pieces(
        self,
        peers: Peers,
        effect: FetchSnapshot,
        address: Address,
        append: Callable[[bytes], None],
    ) -> None:
        position, size = 0, 1
        while position < size:
            request = snapshot_request(effect, self._identity, position, self._piece_bytes_max)
            response = await peers.ask(address, request, self._timeout_ms)
            assert isinstance(response, FetchSnapshotResponse)
            piece = response.topics[0].partitions[0]
            if piece.error_code or piece.position != position or not piece.unaligned_records:
                raise KafkaError(piece.error_code, f"snapshot {effect.snapshot} did not come")
            self._post(SnapshotPieceFetched(effect.to, effect.epoch))
            append(bytes(piece.unaligned_records))
            position, size = position + len(piece.unaligned_records), piece.size
