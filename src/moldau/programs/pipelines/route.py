"""Where a pipeline reads and where it writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from moldau.platform.quick_dataclass import dataclass

__all__ = ["Route"]


@dataclass(frozen=True, kw_only=True)
class Route:
    """From a topic to a lake, and where it is kept how far that has come."""

    bootstrap: str
    topic: str
    lake: str
    checkpoint: str
    source: Mapping[str, str] = field(default_factory=dict)
    """Further options of the source, such as `kafka.default.api.timeout.ms`."""
    storage: Mapping[str, str] = field(default_factory=dict)
    """Settings of the object store, if the lake is in one."""

    def source_options(self, **more: str) -> dict[str, str]:
        """What the format `moldau` takes; the user's own options count."""
        return {
            "kafka.bootstrap.servers": self.bootstrap,
            "subscribe": self.topic,
            "startingOffsets": "earliest",
            "includeHeaders": "true",
            **more,
            **self.source,
        }

    def table(self, name: str) -> str:
        return f"{self.lake}/{name}"
