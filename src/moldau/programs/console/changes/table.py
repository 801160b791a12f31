"""All kinds of change, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from moldau.programs.console.changes.access import ACCESS_KINDS
from moldau.programs.console.changes.change import Kind
from moldau.programs.console.changes.copying import COPY_KINDS
from moldau.programs.console.changes.deleted_offsets import DELETED_OFFSETS_KINDS
from moldau.programs.console.changes.groups import GROUP_KINDS
from moldau.programs.console.changes.log_levels import LOG_LEVEL_KINDS
from moldau.programs.console.changes.many_topics import MANY_TOPICS_KINDS
from moldau.programs.console.changes.members import MEMBER_KINDS
from moldau.programs.console.changes.partitions import PARTITION_KINDS
from moldau.programs.console.changes.records import RECORD_KINDS
from moldau.programs.console.changes.roles import ROLE_KINDS
from moldau.programs.console.changes.schemas import SCHEMA_KINDS
from moldau.programs.console.changes.settings import SETTING_KINDS
from moldau.programs.console.changes.topics import TOPIC_KINDS
from moldau.programs.console.changes.transactions import TRANSACTION_KINDS

__all__ = ["KINDS"]

KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind
    for kind in (
        *TOPIC_KINDS,
        *MANY_TOPICS_KINDS,
        *COPY_KINDS,
        *SETTING_KINDS,
        *PARTITION_KINDS,
        *RECORD_KINDS,
        *GROUP_KINDS,
        *DELETED_OFFSETS_KINDS,
        *MEMBER_KINDS,
        *LOG_LEVEL_KINDS,
        *ACCESS_KINDS,
        *ROLE_KINDS,
        *TRANSACTION_KINDS,
        *SCHEMA_KINDS,
    )
}
