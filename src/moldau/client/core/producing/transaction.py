"""Where a producer's transactions are: what may be done now, and what has failed.

    CLOSED  begin →  OPEN  commit, abort →  ENDING  →  CLOSED
    OPEN  prepare →  PREPARED  commit, abort, by this producer or another one →  ENDING  →  CLOSED
    a batch or a request of it fails for good:  FAILED  abort →  ENDING
    another producer took it:     FENCED, and nothing is possible any more

Partitions join a transaction before the first batch for them leaves, the group's offsets by way of
their own coordinator (KIP-98).
"""

from __future__ import annotations

from enum import Enum, auto

from moldau.client.errors import ClientError, FencedError, TransactionError
from moldau.client.topic_partition import TopicPartition

__all__ = ["Stage", "Transaction"]


class Stage(Enum):
    """See the head of the file."""

    CLOSED = auto()
    OPEN = auto()
    PREPARED = auto()
    ENDING = auto()
    FAILED = auto()
    FENCED = auto()


class Transaction:
    """The one after the other of one producer."""

    def __init__(self, name: str) -> None:
        self.name = name
        """The transactional id."""
        self.stage = Stage.CLOSED
        self.partitions: set[TopicPartition] = set()
        self.is_adding = False
        """A request that adds partitions is not answered yet."""
        self.has_offsets = False
        self.is_in_doubt = False
        """A batch of it was given up and may be there: its sequences are taken."""
        self.error: ClientError | None = None

    def __repr__(self) -> str:
        return f"<Transaction {self.name}: {self.stage.name}, {len(self.partitions)} partitions>"

    @property
    def is_empty(self) -> bool:
        """Whether brokers know nothing of it."""
        return not self.partitions and not self.has_offsets and not self.is_adding

    def begin(self) -> None:
        if self.stage is not Stage.CLOSED:
            raise self._refusal("begin")
        self.stage = Stage.OPEN

    def ensure_open(self, verb: str = "send") -> None:
        """Records and offsets belong into an open one."""
        if self.stage is not Stage.OPEN:
            raise self._refusal(verb)

    def prepare(self) -> None:
        """All of it has arrived; it is decided elsewhere what becomes of it."""
        if self.stage is not Stage.OPEN:
            raise self._refusal("prepare")
        self.stage = Stage.PREPARED

    def end(self, *, commits: bool) -> None:
        """It is decided; nothing more is added."""
        may_end = (Stage.OPEN, Stage.PREPARED)
        if self.stage not in (may_end if commits else (*may_end, Stage.FAILED)):
            raise self._refusal("commit" if commits else "abort")
        self.stage = Stage.ENDING

    def ended(self) -> None:
        self.stage = Stage.CLOSED
        self.forget()
        self.is_in_doubt = False
        self.error = None

    def forget(self) -> None:
        """Brokers have ended it: there is nothing to ask of them any more."""
        self.partitions.clear()
        self.has_offsets = self.is_adding = False

    def fail(self, error: ClientError) -> None:
        """It can only be aborted, or not even that."""
        if isinstance(error, FencedError):
            self.stage, self.error = Stage.FENCED, error
        elif self.stage is Stage.OPEN:
            self.stage, self.error = Stage.FAILED, error

    def _refusal(self, verb: str) -> ClientError:
        match self.stage:
            case Stage.FENCED:
                return FencedError(f"producer ({self.name})")
            case Stage.FAILED:
                return TransactionError(
                    f"cannot {verb}: the transaction of {self.name} has failed and has to be "
                    f"aborted: {self.error}"
                )
            case Stage.CLOSED:
                return TransactionError(
                    f"cannot {verb}: {self.name} has no open transaction: begin one by "
                    "producer.transaction()"
                )
            case _:
                return TransactionError(
                    f"cannot {verb}: the transaction of {self.name} is {self.stage.name.lower()}"
                )
