"""What goes between share groups and share coordinators: state made, moved, forgotten.

The group's shard names what is to be asked; this asks it, and gives the shard the outcome. A step
that gets lost with its broker is asked for again by the next heartbeats.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import cast

from moldau.broker.coordinator.group.share.steps import ForgetShares, PrepareShares, ShareStep
from moldau.broker.server.broker import Broker
from moldau.errors import KafkaError
from moldau.protocol.messages.share.delete_share_group_state import (
    DeleteShareGroupStateRequest,
    DeleteShareGroupStateResponse,
)
from moldau.protocol.messages.share.initialize_share_group_state import (
    InitializeShareGroupStateRequest,
    InitializeShareGroupStateResponse,
)

log = logging.getLogger(__name__)

STEP_VERSION = 0
Places = dict[bytes, list[int]]


def carry_out(broker: Broker, effect: object) -> None:
    """The effects of a group's shard, now that its records are in its log."""
    if isinstance(effect, PrepareShares):
        group_id = effect.request.group_id
        broker.tasks.spawn(f"prepare shares of {group_id}", _prepare(broker, effect.request))


async def _prepare(broker: Broker, request: InitializeShareGroupStateRequest) -> None:
    try:
        await prepare(broker, request)
    except KafkaError as error:
        log.warning("Shares of %s are not prepared: %s", request.group_id, error)


async def prepare(
    broker: Broker, request: InitializeShareGroupStateRequest
) -> InitializeShareGroupStateResponse | None:
    """Have state made; the group knows what came of it when this returns."""
    answer = await broker.share_states.ask_with_retries(request)
    if answer is None:
        return None
    made = cast("InitializeShareGroupStateResponse", answer)
    confirmed: Places = {}
    failed: Places = {}
    for topic in made.results:
        for one in topic.partitions:
            places = failed if one.error_code else confirmed
            places.setdefault(topic.topic_id, []).append(one.partition)
    await _step(broker, request.group_id, confirmed=confirmed, failed=failed)
    return made


async def forget(
    broker: Broker, request: DeleteShareGroupStateRequest
) -> DeleteShareGroupStateResponse | None:
    """Have state deleted; the group knows what came of it when this returns."""
    answer = await broker.share_states.ask_with_retries(request)
    if answer is None:
        return None
    gone = cast("DeleteShareGroupStateResponse", answer)
    parted = [
        topic.topic_id
        for topic in gone.results
        if not any(one.error_code for one in topic.partitions)
    ]
    await _step(broker, request.group_id, parted=parted)
    return gone


async def forget_group(broker: Broker, group_id: str) -> None:
    """Have all state of a share group deleted; any other group has none.

    The group does not get the outcome, for it is deleted next. If it stays after all, or the broker
    fails in between, it has what was to be deleted, and the next deletion of the group repeats it.
    """
    assert broker.groups is not None, "share groups have a coordinator"
    try:
        question = await broker.groups.ask(
            group_id, ForgetShares(group_id=group_id), version=STEP_VERSION
        )
    except KafkaError:
        return  # the deletion of the group gets the error
    await broker.share_states.ask_with_retries(question)


async def _step(
    broker: Broker,
    group_id: str,
    *,
    confirmed: Places | None = None,
    failed: Places | None = None,
    parted: Iterable[bytes] = (),
) -> None:
    step = ShareStep(
        group_id=group_id,
        confirmed=_entries(confirmed or {}),
        failed=_entries(failed or {}),
        parted=list(parted),
    )
    assert broker.groups is not None, "share groups have a coordinator"
    await broker.groups.ask(group_id, step, version=STEP_VERSION)


def _entries(places: Places) -> list[ShareStep.TopicPartitions]:
    return [
        ShareStep.TopicPartitions(topic_id=topic_id, partitions=partitions)
        for topic_id, partitions in places.items()
    ]
