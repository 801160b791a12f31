"""How a batch is committed once, whatever dies.

    1  the log is opened, which fences every older driver of the application
    2  the last decision is read
       of this batch or a later one   the batch comes again: what was written again is aborted
       of an earlier one, or none     the decision about this batch is written
    3  what the last decision names is committed, be it for the first time or again
    4  whatever else is open under the application's names is fenced: its writers are dead

Step 4 is what lets two-phase transactions live for ever: none is forgotten. It comes after all
tasks of the batch are done, so only leftovers can be open.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from moldau.client.core.producing.prepared import PreparedTransaction
from moldau.client.errors import ClientError, FencedError, RefusedError, TransactionError
from moldau.client.sync.transactions import Transactions
from moldau.spark.sink.decisions import Decision, DecisionLog
from moldau.spark.sink.errors import HalfCommittedError
from moldau.spark.sink.names import belongs_to
from moldau.spark.sink.options import SinkOptions

__all__ = ["abandon", "abort_all", "commit_at_once", "settle"]

log = logging.getLogger(__name__)


def settle(
    options: SinkOptions, family: str, batch: int, prepared: Sequence[PreparedTransaction]
) -> bool:
    """Whether the batch was committed now; False where it had been decided before."""
    with DecisionLog(options, family) as decisions, Transactions(options.connection) as cluster:
        last = decisions.last()
        is_known = last is not None and last.batch >= batch
        if not is_known and prepared:
            last = Decision(batch, tuple(prepared))
            decisions.write(last)
        if last is not None and last.batch == batch:
            _commit(cluster, last)
        kept = set() if last is None else {each.name for each in last.transactions}
        _fence_others(cluster, family, kept)
    return not is_known


def abandon(
    options: SinkOptions, family: str, batch: int, prepared: Sequence[PreparedTransaction]
) -> None:
    """Abort what was not decided of a batch that has failed: it may have failed after that."""
    with DecisionLog(options, family) as decisions, Transactions(options.connection) as cluster:
        last = decisions.last()
        kept = set() if last is None else set(last.transactions)
        abort_all(cluster, [each for each in prepared if each not in kept])
        _fence_others(cluster, family, {each.name for each in kept})


def commit_at_once(options: SinkOptions, prepared: Sequence[PreparedTransaction]) -> None:
    """For a write without a name: nothing recognises it, so it is decided by being committed."""
    with Transactions(options.connection) as cluster:
        _commit(cluster, Decision(0, tuple(prepared)))


def abort_all(cluster: Transactions, prepared: Sequence[PreparedTransaction]) -> None:
    """As far as that can be done: what stays open is fenced later, or ends by its timeout."""
    for each in prepared:
        try:
            cluster.end(each, commits=False)
        except ClientError as error:
            log.warning("the transaction of %s was not aborted: %s", each.name, error)


def _commit(cluster: Transactions, decision: Decision) -> None:
    aborted = 0
    for each in decision.transactions:
        try:
            cluster.end(each, commits=True)
        except (FencedError, RefusedError, TransactionError) as error:
            log.warning("the transaction of %s cannot be committed: %s", each.name, error)
            aborted += 1
    if aborted:
        raise HalfCommittedError(decision.batch, aborted, len(decision.transactions))


def _fence_others(cluster: Transactions, family: str, kept: set[str]) -> None:
    """It is housekeeping: the batch is committed, and the next one does it again."""
    try:
        for name in cluster.open_names():
            if belongs_to(name, family) and name not in kept:
                log.info("%s was left open by a task that has died: it is fenced", name)
                cluster.fence(name)
    except ClientError as error:
        log.warning("transactions of %s that were left open stay so: %s", family, error)
