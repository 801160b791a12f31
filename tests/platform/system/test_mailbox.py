"""From many threads to one loop."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from moldau.platform.system.background import Background, BackgroundEndedError
from moldau.platform.system.mailbox import Mailbox, MailboxFullError


@pytest.fixture
def background() -> Iterator[Background]:
    made = Background("tests-mailbox")
    yield made
    made.close()


async def nothing() -> None: ...


def test_what_is_put_in_is_taken_in_its_order_on_the_loop(background):
    taken: list[int] = []
    names = set()

    def take(items: list[int]) -> None:
        names.add(threading.current_thread().name)
        taken.extend(items)

    box = Mailbox(background, take, 1000)
    for number in range(50):
        box.put(number, 1, 0)
    background.call(nothing)
    assert taken == list(range(50))
    assert names == {"tests-mailbox"}


def test_there_is_room_again_when_the_loop_holds_less(background):
    box: Mailbox[str] = Mailbox(background, lambda items: None, 10)
    box.put("a", 10, 0)
    with pytest.raises(MailboxFullError):
        box.put("b", 1, 0)
    background.call(nothing)
    with pytest.raises(MailboxFullError):
        box.put("b", 1, 0)
    threading.Timer(0.01, lambda: box.hold(0)).start()
    box.put("b", 1, 60_000)


def test_one_thing_alone_always_has_room(background):
    box: Mailbox[str] = Mailbox(background, lambda items: None, 10)
    box.put("large", 100, 0)


def test_nothing_is_taken_after_the_end(background):
    box: Mailbox[str] = Mailbox(background, lambda items: None, 10)
    box.put("a", 10, 0)
    threading.Timer(0.01, box.close).start()
    with pytest.raises(BackgroundEndedError):
        box.put("b", 1, 60_000)


def test_it_can_be_emptied_at_once(background):
    taken: list[str] = []
    box = Mailbox(background, taken.extend, 10)

    async def collect() -> None:
        box.collect()

    box.put("a", 1, 0)
    background.call(collect)
    assert taken == ["a"]
