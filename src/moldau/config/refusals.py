"""Settings that cannot be: one sentence each, in Kafka's words where Kafka has some."""

from __future__ import annotations

from moldau.errors import MoldauError


class SettingError(MoldauError):
    """A setting, or two together, that no node can work with."""


class InvalidSettingError(SettingError):
    """A value outside of what its setting takes."""

    def __init__(self, name: str, value: str | None, reason: str) -> None:
        super().__init__(f"Invalid value {value} for configuration {name}: {reason}")
        self.name = name


class MissingSettingError(SettingError):
    """A setting without a default was not given."""

    def __init__(self, name: str) -> None:
        super().__init__(f'Missing required configuration "{name}" which has no default value')
        self.name = name


class UnknownSettingError(SettingError):
    """A name that no setting has."""

    def __init__(self, name: str, nearest: str | None, whose: str = "") -> None:
        suggestion = f" (did you mean {nearest}?)" if nearest else ""
        super().__init__(f"{name} is no setting{whose}{suggestion}")
        self.name = name
        self.nearest = nearest
