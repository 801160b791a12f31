"""Reading for one ShareFetch: acquire what is there, or wait until something is.

acquire in all partitions ──► something, an error, or no time to wait ──► answer
                          └─► held until one of them has something ──► acquire again ──► answer

A quota of the consumer is asked before records are acquired. So what it keeps back is not locked,
and no delivery is counted of what was not delivered (Kafka acquires it all the same).
"""

from __future__ import annotations

from dataclasses import field
from math import inf

from moldau.broker.coordinator.share.partition.acquiring import Acquired, Acquisition, Span, acquire
from moldau.broker.coordinator.share.state import ShareKey
from moldau.broker.log.reading import FetchResult
from moldau.broker.replica.fetching import upper_bound
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.refusals import code_of
from moldau.broker.runtime.running_share_partition import RunningSharePartition
from moldau.broker.runtime.share_figures import GroupFigures
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.share.acknowledging import topic_refusal
from moldau.broker.server.share.sessions import PartitionKey, ShareSession
from moldau.errors import KafkaError, MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.share.share_fetch import ShareFetchRequest
from moldau.protocol.records.batch import BatchHeader, iterate_batches, read_header

READ_BYTES_MAX = 1024 * 1024
"""Read at a time from a partition: acquisitions are of hundreds of records, not of megabytes."""
RECORD_LIMIT = 1
"""The acquire mode that keeps strictly to `max_records`."""


@dataclass(slots=True)
class Taken:
    """What one partition gives to a share fetch."""

    error: KafkaError | None = None
    records: bytes = b""
    acquired: list[Acquired] = field(default_factory=list)


class ShareFetching:
    """One fetch on its way through the partitions."""

    def __init__(
        self, call: Call[ShareFetchRequest], broker: Broker, session: ShareSession
    ) -> None:
        self._call = call
        self._broker = broker
        self._session = session
        self._request = call.request
        self._bytes_left = int(
            min(
                call.request.max_bytes,
                broker.settings.fetch_max_bytes,
                inf if broker.quotas is None else broker.quotas.fetch_bytes_max(call),
            )
        )
        self._records_left = call.request.max_records
        self._led: dict[PartitionKey, RunningSharePartition] = {}
        self._taken: dict[PartitionKey, Taken] = {}
        self._is_kept_back = False
        self._figures: GroupFigures = broker.shares.figures_of(session.group_id)
        self._began_ns = broker.clock.monotonic_ns()
        self._acquirable = 0
        """Its partitions that could hand something out when it last looked."""

    async def run(self, epoch: int) -> dict[PartitionKey, Taken]:
        """What the member gets, by partition; those that have nothing are left out."""
        await self._find(epoch)
        self._take_all()
        may_wait = self._request.max_wait_ms > 0 and not self._is_kept_back
        if not self._taken and may_wait and self._led:
            await self._wait()
            self._take_all()
        self._figures.fetched(self._acquirable, len(self._session.partitions))
        return self._taken

    async def _find(self, epoch: int) -> None:
        for key in self._session.rotated(epoch):
            try:
                refusal = topic_refusal(self._call, self._broker, *key)
                if refusal is not None:
                    raise refusal
                share_key = ShareKey(self._session.group_id, *key)
                self._led[key] = await self._broker.shares.get(share_key)
            except KafkaError as error:
                self._taken[key] = Taken(error)

    async def _wait(self) -> None:
        """Until some partition has something, or the time is up."""
        promise = self._broker.tasks.promise()
        self._broker.purgatory.hold(
            "ShareFetch",
            self._led.values(),
            until=self._may_have_something,
            then=promise.keep,
            timeout_ms=self._request.max_wait_ms,
        )
        if not await promise.wait():
            self._broker.purgatory.expired["ShareFetch"] += 1

    def _may_have_something(self, woken: Partition) -> bool:
        return any(
            not led.is_current or _has_something(led)
            for led in self._led.values()
            if led.partition is woken
        )

    def _take_all(self) -> None:
        clock = self._broker.clock
        before_ns = clock.monotonic_ns()
        self._note_acquirable(before_ns)
        for key, led in self._led.items():
            if self._records_left <= 0 or self._bytes_left <= 0 or self._is_kept_back:
                break
            try:
                taken = self._take(led)
            except MoldauError as error:
                taken = Taken(KafkaError(code_of(error), str(error)))
            now_ns = clock.monotonic_ns()
            led.figures.locked(before_ns, now_ns)
            before_ns = now_ns
            if taken.acquired or taken.error is not None:
                self._taken[key] = taken

    def _note_acquirable(self, now_ns: int) -> None:
        self._acquirable = sum(led.share.can_acquire for led in self._led.values())
        if self._acquirable:
            self._figures.acquired(self._began_ns, now_ns)

    def _take(self, led: RunningSharePartition) -> Taken:
        led.partition.check_leader(led.leader_epoch)
        if led.is_over:
            return Taken()  # the next fetch finds it loaded anew
        led.follow_log()
        while _has_something(led):
            fetch_offset = led.share.next_fetch_offset
            max_bytes = min(self._bytes_left, READ_BYTES_MAX)
            found = led.partition.read(fetch_offset, max_bytes, led.isolation, min_one=True)
            batches = _Batches(found)
            if not batches.headers or not self._may_leave(batches.size):
                break
            acquired = self._acquire(led, fetch_offset, batches)
            records = b""
            if acquired:
                records = batches.covering(acquired[0].first_offset, acquired[-1].last_offset)
            self._count(led, records, batches.size)
            if acquired:
                led.figures.handed_out(acquired)
                led.arm()
                self._bytes_left -= len(records)
                self._records_left -= sum(
                    one.last_offset - one.first_offset + 1 for one in acquired
                )
                return Taken(None, records, acquired)
            if led.share.next_fetch_offset == fetch_offset:
                break
        return Taken()

    def _may_leave(self, size: int) -> bool:
        """Whether the quota lets so much pass; it counts as fetched then."""
        quotas = self._broker.quotas
        self._is_kept_back = quotas is not None and not quotas.fetched(self._call, size)
        return not self._is_kept_back

    def _count(self, led: RunningSharePartition, records: bytes, read_size: int) -> None:
        """What leaves of that which was read."""
        if self._broker.quotas is not None and len(records) < read_size:
            self._broker.quotas.unfetched(self._call, read_size - len(records))
        self._broker.traffic.shared(led.partition.topic, len(records))

    def _acquire(
        self, led: RunningSharePartition, fetch_offset: int, batches: _Batches
    ) -> list[Acquired]:
        wanted = Acquisition(
            member_id=self._session.member_id,
            fetch_offset=fetch_offset,
            batches=[Span(one.base_offset, one.last_offset) for one in batches.headers],
            max_records=self._records_left,
            batch_size=self._request.batch_size,
            is_record_limit=self._request.share_acquire_mode == RECORD_LIMIT,
            aborted=batches.aborted(),
        )
        return acquire(led.share, wanted, self._broker.clock.now_ms())


def _has_something(led: RunningSharePartition) -> bool:
    """Whether there is anything to read that could be handed out."""
    if not led.share.can_acquire:
        return False
    return upper_bound(led.partition, led.isolation) > led.share.next_fetch_offset


class _Batches:
    """What was read, batch by batch; one that is cut off is left out."""

    def __init__(self, found: FetchResult) -> None:
        self._found = found
        self._views = list(iterate_batches(found.read()))
        self.headers: list[BatchHeader] = [read_header(view) for view in self._views]
        self.size = sum(map(len, self._views))

    def covering(self, first_offset: int, last_offset: int) -> bytes:
        """The bytes of those batches that have some of these offsets."""
        return b"".join(
            view
            for view, header in zip(self._views, self.headers, strict=True)
            if header.last_offset >= first_offset and header.base_offset <= last_offset
        )

    def aborted(self) -> list[Span]:
        """Batches of transactions that were aborted; a marker ends a producer's run of them."""
        waiting = sorted(self._found.aborted_transactions or (), key=lambda one: one.first_offset)
        ongoing: set[int] = set()
        spans = []
        for header in self.headers:
            while waiting and waiting[0].first_offset <= header.last_offset:
                ongoing.add(waiting.pop(0).producer_id)
            if header.is_control:
                ongoing.discard(header.producer_id)
            elif header.is_transactional and header.producer_id in ongoing:
                spans.append(Span(header.base_offset, header.last_offset))
        return spans
