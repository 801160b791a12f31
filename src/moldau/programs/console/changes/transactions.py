"""Ending transactions that hang: by their id, or in one partition past their coordinator."""

from __future__ import annotations

from typing import Final

from moldau.client import TopicPartition
from moldau.programs.console.api.refusals import no_partition
from moldau.programs.console.changes.change import Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import command_line
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.bodies import field_of
from moldau.programs.rest.refusals import bad_request

__all__ = ["TRANSACTION_KINDS"]

NO_COORDINATOR: Final = 0
"""As Kafka's tool sends it where a partition has no epoch of a coordinator yet."""
FOR_GOOD: Final = "What it has written is discarded, and its producer is fenced."
IN_PARTITION: Final = "What it has written to this partition is discarded."


async def _terminate(reach: Reach, given: Given) -> Change:
    name = field_of(given, "id", str)
    if not name:
        raise bad_request("id is empty: name the transactional id")
    view = (await reach.admin.describe_transactions(name))[name]

    async def run() -> None:
        await reach.admin.force_terminate_transaction(name)

    words = ("forceTerminateTransaction", "--transactionalId", name)
    return Change(
        command_line(reach.settings, "transactions", *words),
        [Difference(f"transaction of {name}", view.state, "aborted")],
        run,
        warning=FOR_GOOD,
    )


async def _abort(reach: Reach, given: Given) -> Change:
    """Of one partition: the coordinator may not know of it any more."""
    view = await reach.topic(field_of(given, "topic", str))
    part = TopicPartition(view.name, field_of(given, "partition", int))
    if part.partition not in [one.partition for one in view.partitions]:
        raise no_partition(view.name, part.partition, len(view.partitions))
    start = field_of(given, "start_offset", int)
    states = (await reach.admin.describe_producers([part]))[part]
    found = next((one for one in states if one.transaction_start_offset == start), None)
    if found is None:
        raise HttpError(
            404,
            f"No transaction is open in {part} that began at {start}: it may have ended; look for "
            "them again on the page Transactions",
        )
    epoch = found.coordinator_epoch
    epoch = NO_COORDINATOR if epoch is None else max(epoch, NO_COORDINATOR)

    async def run() -> None:
        await reach.admin.abort_transaction(
            part,
            producer_id=found.producer_id,
            producer_epoch=found.producer_epoch,
            coordinator_epoch=epoch,
        )

    words = ("abort", "--topic", part.topic, "--partition", part.partition, "--start-offset", start)
    return Change(
        command_line(reach.settings, "transactions", *words),
        [Difference(f"transaction in {part} from {start}", "open", "aborted")],
        run,
        warning=IN_PARTITION,
    )


TRANSACTION_KINDS: Final = (
    Kind("terminate-transaction", "Abort what is open under an id", {"id": "string"}, _terminate),
    Kind(
        "abort-transaction",
        "Abort what hangs in one partition",
        {"topic": "string", "partition": "integer", "start_offset": "integer"},
        _abort,
    ),
)
