"""What came of a call that was made for several things: a value or an error for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from moldau.errors import MoldauError

__all__ = ["Outcomes"]

Key = TypeVar("Key")
Value = TypeVar("Value")
Other = TypeVar("Other")


class Outcomes(Generic[Key, Value]):
    """By key, in the order in which they were given; made once, read often.

    outcomes = admin.delete_topics(["orders", "no-such"])
    outcomes["no-such"]          raises that topic's error; of "orders" it is the value
    outcomes.errors              the errors alone, by topic
    outcomes.all()               every value by topic, or the first error raised
    """

    def __init__(
        self,
        values: Mapping[Key, Value] | None = None,
        errors: Mapping[Key, MoldauError] | None = None,
    ) -> None:
        self.values: dict[Key, Value] = dict(values or {})
        """Of the keys that succeeded."""
        self.errors: dict[Key, MoldauError] = dict(errors or {})
        """Of those that failed."""

    def __repr__(self) -> str:
        return f"<Outcomes: {self.values!r}, errors {self.errors!r}>"

    def __getitem__(self, key: Key) -> Value:
        if key in self.errors:
            raise self.errors[key]
        return self.values[key]

    def __iter__(self) -> Iterator[Key]:
        yield from self.values
        yield from self.errors

    def __len__(self) -> int:
        return len(self.values) + len(self.errors)

    def __contains__(self, key: object) -> bool:
        return key in self.values or key in self.errors

    def all(self) -> dict[Key, Value]:
        """Every value; where a key failed, the first of the errors is raised."""
        for error in self.errors.values():
            raise error
        return dict(self.values)

    def map(self, change: Callable[[Value], Other]) -> Outcomes[Key, Other]:
        """The same errors, with other values."""
        values = {key: change(value) for key, value in self.values.items()}
        return Outcomes(values, self.errors)

    def ordered(self, keys: Iterable[Key]) -> Outcomes[Key, Value]:
        """The same, of these keys in their order."""
        wanted = list(keys)
        values = {key: self.values[key] for key in wanted if key in self.values}
        errors = {key: self.errors[key] for key in wanted if key in self.errors}
        return Outcomes(values, errors)
