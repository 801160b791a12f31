"""What is wrong with data that a schema describes, and where in it."""

from __future__ import annotations

from moldau.errors import MoldauError

__all__ = ["DataError"]


class DataError(MoldauError):
    """A value that is none of its schema, or bytes that are none."""

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(f"{path}: {reason}" if path else reason)
        self.reason = reason
        self.path = path

    def under(self, name: str) -> DataError:
        """The same, as seen from one level further out."""
        return DataError(self.reason, f"{name}.{self.path}" if self.path else name)
