"""What settings pipelines have in common: all of them, and those that take any values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from moldau.programs.pipelines.settings import setting

__all__ = ["FORMS", "BatchSettings", "LandingSettings"]

FORMS: Final = ("json", "csv", "raw", "registry")
MIB: Final = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class BatchSettings:
    """How batches are read, and what is too large for them."""

    letters: str = setting("", "the topic that dead letters go to; nothing: only the table")
    size_max: int = setting(65_536, "bytes; a larger value goes to the dead letters")
    compact_every: int = setting(100, "batches between compactions; 0: never")
    batch_size: int = setting(1_000_000, "records that a batch takes at most", least=1)
    tables_every_s: int = setting(0, "seconds from batch to batch; 0: as soon as there is more")


@dataclass(frozen=True, kw_only=True)
class LandingSettings(BatchSettings):
    """From a topic to bronze, silver and the dead letters."""

    form: str = setting(
        "json", "what values are: json, csv, raw bytes, or by a schema of a registry", among=FORMS
    )
    registry: str = setting("", "the URL of that registry")
    schema: str = setting("", "columns, as 'id bigint, name string'; nothing: inferred from json")
    size_max: int = setting(MIB, "bytes; a larger value goes to the dead letters")
    event_time: str = setting("", "the column with the time of the event")
    late_after_s: int = setting(86_400, "how long after that a record may still be written")
    partition_by: str = setting("", "columns of silver that make its folders")
