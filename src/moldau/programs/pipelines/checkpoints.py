"""A checkpoint has one pipeline, one topic and one lake, and keeps what lay there before it.

Beside Spark's own files a checkpoint has `pipeline.json`. It is written once, before the first
batch, and is used for two things:

- whose checkpoint it is. Another pipeline would take its offsets for its own and skip records.
- how far each table had come when the checkpoint was new: the highest offset of every partition.
  Records up to there are in the table already, by any writer, and are not added again. So a
  lost checkpoint costs time and doubles nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from moldau.client import TopicPartition
from moldau.platform.ports.files import Files, read_whole, replace_whole
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.errors import PipelineError
from moldau.spark.source.stream import offsets_in

__all__ = ["Checkpoint", "Landed", "Owner"]

NAME = "pipeline.json"
QUERY = "query"
COMMITS = "commits"
Landed = Mapping[str, Mapping[str, int]]
"""Table → `TOPIC/PARTITION` → the highest offset that is there."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose checkpoint it is."""

    pipeline: str
    topic: str
    lake: str


class Checkpoint:
    """One folder on a local disk."""

    def __init__(self, path: str, files: Files) -> None:
        self.path = path.removeprefix("file://").rstrip("/")
        self._files = files

    def __repr__(self) -> str:
        return f"<Checkpoint {self.path}>"

    @property
    def query_path(self) -> str:
        """Where Spark keeps its part."""
        return f"{self.path}/{QUERY}"

    def noted(self) -> tuple[Owner, Landed] | None:
        """Whose it is, and what was there when it was new; None if it is new now."""
        path = f"{self.path}/{NAME}"
        if self._files.status(path) is None:
            return None
        try:
            noted = json.loads(read_whole(self._files, path))
            found = Owner(noted["pipeline"], noted["topic"], noted["lake"])
            landed: Landed = noted["landed"]
            return found, landed
        except (ValueError, KeyError, TypeError) as error:
            raise PipelineError(
                f"{path} makes no sense: the folder is no checkpoint of a pipeline, or was damaged;"
                " take another one"
            ) from error

    def landed(self, owner: Owner) -> Landed | None:
        """What was noted when this checkpoint was new, for its owner alone."""
        noted = self.noted()
        if noted is None:
            return None
        found, landed = noted
        if found != owner:
            raise PipelineError(
                f"the checkpoint {self.path} belongs to the pipeline {found.pipeline} from topic"
                f" {found.topic} to {found.lake}: give {owner.pipeline} its own"
            )
        return landed

    def last_batch(self) -> int | None:
        """The last that is whole; None before the first."""
        folder = f"{self.query_path}/{COMMITS}"
        status = self._files.status(folder)
        if status is None or not status.is_directory:
            return None
        return max(
            (int(name) for name in self._files.list(folder) if name.isdecimal()), default=None
        )

    def ends_of(self, batch: int) -> dict[TopicPartition, int]:
        """The offsets where a batch ends, as Spark noted them; empty for a source without any."""
        path = f"{self.query_path}/offsets/{batch}"
        if self._files.status(path) is None:
            return {}
        try:
            return offsets_in(json.loads(read_whole(self._files, path).splitlines()[-1]))
        except (ValueError, TypeError, AttributeError, IndexError):
            return {}

    def begin(self, owner: Owner, landed: Landed) -> None:
        """Make it this owner's."""
        self._files.make_directory(self.path)
        noted = {
            "pipeline": owner.pipeline,
            "topic": owner.topic,
            "lake": owner.lake,
            "landed": landed,
        }
        replace_whole(self._files, f"{self.path}/{NAME}", json.dumps(noted).encode())
