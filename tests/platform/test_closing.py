"""Whatever happens inside a `with`, what it is about is closed behind it."""

from __future__ import annotations

import asyncio

import pytest

from moldau.platform.closing import AsyncClosing, Closing


class Noted(Closing):
    def __init__(self) -> None:
        self.happened: list[str] = []

    def _has_failed(self) -> None:
        self.happened.append("failed")

    def close(self) -> None:
        self.happened.append("closed")


class AsyncNoted(AsyncClosing):
    def __init__(self) -> None:
        self.happened: list[str] = []

    def start(self) -> None:
        self.happened.append("started")

    def _has_failed(self) -> None:
        self.happened.append("failed")

    async def close(self) -> None:
        self.happened.append("closed")


def test_the_end_of_a_with_closes():
    noted = Noted()
    with noted as same:
        assert same is noted
        assert noted.happened == []
    assert noted.happened == ["closed"]


def test_an_error_inside_passes_and_closes_too():
    noted = Noted()
    with pytest.raises(KeyError), noted:
        raise KeyError
    assert noted.happened == ["failed", "closed"]


def test_an_async_with_starts_and_closes():
    noted = AsyncNoted()

    async def use() -> None:
        async with noted as same:
            assert same is noted
            noted.happened.append("used")
            raise KeyError

    with pytest.raises(KeyError):
        asyncio.run(use())
    assert noted.happened == ["started", "used", "failed", "closed"]
