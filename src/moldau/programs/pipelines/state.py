"""What a checkpoint and its lake say of a pipeline, for those who look from outside while it runs.

The checkpoint has whose it is, and where its last whole batch ends; the lake's tables have what
became of the records. Nothing is asked of Spark, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping

from moldau.client import TopicPartition
from moldau.platform.ports.files import Files
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.checkpoints import Checkpoint, Owner
from moldau.programs.pipelines.errors import PipelineError
from moldau.programs.pipelines.reconciliation import Reconciled, reconcile

__all__ = ["PipelineState", "read_state"]


@dataclass(frozen=True, slots=True)
class PipelineState:
    """As it is now."""

    owner: Owner
    batch: int | None
    """The last one that is whole."""
    ends: Mapping[TopicPartition, int]
    """Where that one ends; empty if there is none."""
    reconciled: Reconciled


def read_state(path: str, files: Files, storage: Mapping[str, str]) -> PipelineState:
    """Of the checkpoint in this folder; `storage` has settings of the lake's object store."""
    checkpoint = Checkpoint(path, files)
    noted = checkpoint.noted()
    if noted is None:
        raise PipelineError(
            f"{path} has no pipeline's checkpoint: name the folder where it keeps its"
            " checkpoint, on a disk that this program can read"
        )
    owner, landed = noted
    batch = checkpoint.last_batch()
    ends = {} if batch is None else checkpoint.ends_of(batch)
    return PipelineState(owner, batch, ends, reconcile(owner.lake, storage, list(landed)))
