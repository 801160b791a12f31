"""The transactions of one producer: begun, committed or aborted as a whole, or left to others."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping

from moldau.client.aio.driver import Driver
from moldau.client.aio.world import ClientWorld
from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.context import ClientContext
from moldau.client.core.group_member import Membership
from moldau.client.core.producing.dialogues import (
    add_partitions,
    commit_in_transaction,
    end_transaction,
    identify,
)
from moldau.client.core.producing.events import AddPartitions, Effects, PartitionsAdded
from moldau.client.core.producing.prepared import PreparedTransaction
from moldau.client.core.producing.sender import Sender
from moldau.client.core.producing.transaction import Stage, Transaction
from moldau.client.errors import ClientError, FencedError, TransactionError
from moldau.client.settings.producer import ProducerSettings
from moldau.client.topic_partition import TopicPartition

__all__ = ["Transacting"]

log = logging.getLogger(__name__)


class Transacting:
    """Of one producer; `TransactionError` where it has no transactional id."""

    def __init__(
        self,
        world: ClientWorld,
        context: ClientContext,
        settings: ProducerSettings,
        driver: Driver,
        sender: Sender,
        ensure_open: Callable[[], None],
        flush: Callable[[], Awaitable[None]],
        carry_out: Callable[[Effects], None],
    ) -> None:
        self._world = world
        self._context = context
        self._settings = settings
        self._driver = driver
        self._sender = sender
        self._ensure_open = ensure_open
        self._flush = flush
        self._carry_out = carry_out

    def __repr__(self) -> str:
        return f"<Transacting: {self._settings.transactional_id or 'nothing'}>"

    @property
    def transaction(self) -> Transaction:
        if self._sender.transaction is None:
            raise TransactionError(
                "this producer has no transactions: give it a name by transactional_id="
            )
        return self._sender.transaction

    async def begin(self) -> None:
        """Under the identity of the transactional id, which the first one asks for."""
        transaction = self.transaction
        self._ensure_open()
        if self._sender.identity.producer_id < 0:
            await self._identify_again()
        transaction.begin()

    async def prepare(self) -> PreparedTransaction | None:
        """All of it has arrived, and any program may end it by what this returns; None if empty."""
        transaction = self.transaction
        transaction.ensure_open("prepare")
        await self._flush()
        transaction.prepare()
        if transaction.is_empty:
            return None
        return PreparedTransaction(transaction.name, *self._sender.identity)

    async def commit(self) -> None:
        """All or nothing: after this every record is there; or none, with an error."""
        transaction = self.transaction
        if transaction.stage is not Stage.PREPARED:
            transaction.ensure_open("commit")
        await self._flush()
        transaction.end(commits=True)
        await self._end(transaction, commits=True)

    async def commit_or_abort(self) -> None:
        """At the end of a block: what cannot be committed is aborted, and the error raised."""
        try:
            await self.commit()
        except ClientError:
            if self.transaction.stage is Stage.FAILED:
                await self.abort()
            raise

    async def abort(self) -> None:
        """Nothing of it will be seen by those who read what is committed."""
        transaction = self.transaction
        wants_identity = transaction.stage is Stage.FAILED
        transaction.end(commits=False)
        error = TransactionError(f"the transaction of {transaction.name} was aborted")
        self._carry_out(self._sender.drop_unsent(error))
        await self._flush()
        wants_identity |= transaction.is_in_doubt
        await self._end(transaction, commits=False)
        if wants_identity:
            await self._identify_again()

    async def abort_what_is_open(self) -> None:
        """At the end of the producer; what is prepared is left to others, and a failure logged."""
        transaction = self._sender.transaction
        if transaction is None or transaction.stage not in (Stage.OPEN, Stage.FAILED):
            return
        try:
            await self.abort()
        except ClientError as error:
            log.warning("the transaction of %s is left to its timeout: %s", transaction.name, error)

    async def send_offsets(
        self, member: Membership, offsets: Mapping[TopicPartition, CommittedOffset]
    ) -> None:
        """They are committed with the transaction."""
        transaction = self.transaction
        transaction.ensure_open()
        transaction.has_offsets = True
        now_ms, identity = self._world.now_ms(), self._sender.identity
        dialogue = commit_in_transaction(
            self._context, transaction.name, identity, member, offsets, now_ms
        )
        try:
            await self._driver.hold(dialogue)
        except ClientError as error:
            transaction.fail(cause := await self._cause(error))
            raise cause from error

    async def _end(self, transaction: Transaction, *, commits: bool) -> None:
        try:
            if not transaction.is_empty:
                await self._ask_to_end(transaction, commits=commits)
        except ClientError as error:
            transaction.stage = Stage.OPEN
            if isinstance(error, TransactionError):
                transaction.forget()
            transaction.fail(cause := await self._cause(error))
            raise cause from error
        transaction.ended()

    async def _ask_to_end(self, transaction: Transaction, *, commits: bool) -> None:
        identity, now_ms = self._sender.identity, self._world.now_ms()
        dialogue = end_transaction(
            self._context, transaction.name, identity, now_ms, commits=commits
        )
        try:
            self._sender.identity = await self._driver.hold(dialogue)
        except FencedError:
            if commits:
                raise
            await self._identify_again()  # its timeout has aborted it, or we are fenced

    async def _cause(self, error: ClientError) -> ClientError:
        """Whether who is fenced has a successor, or has only had a transaction for too long.

        The identity is renewed by a coordinator only for the second (KIP-360). It is of use when
        nothing of the transaction is on its way any more: `abort` asks for it again.
        """
        if not isinstance(error, FencedError):
            return error
        dialogue = identify(
            self._context, self._settings, self._sender.identity, self._world.now_ms()
        )
        try:
            await self._driver.hold(dialogue)
        except ClientError:
            return error
        return TransactionError(
            f"the transaction of {self.transaction.name} was aborted by its coordinator, as it was "
            f"open for longer than transaction.timeout.ms={self._settings.transaction_timeout_ms}: "
            "abort it, and begin another one"
        )

    async def _identify_again(self) -> None:
        known, now_ms = self._sender.identity, self._world.now_ms()
        dialogue = identify(self._context, self._settings, known, now_ms)
        self._sender.identity = await self._driver.hold(dialogue)

    async def add_partitions(self, effect: AddPartitions) -> PartitionsAdded:
        """Partitions become part of it, where brokers do not see to that themselves."""
        name, identity = self.transaction.name, self._sender.identity
        dialogue = add_partitions(self._context, name, identity, effect.parts, self._world.now_ms())
        try:
            await self._driver.hold(dialogue)
        except ClientError as error:
            return PartitionsAdded(effect.parts, await self._cause(error))
        return PartitionsAdded(effect.parts)
