"""A loop in a thread of its own."""

from __future__ import annotations

import asyncio
import gc
import threading
import warnings

import pytest

from moldau.errors import MoldauError
from moldau.platform.system.background import Background, BackgroundEndedError


@pytest.fixture
def background():
    made = Background("tests-background")
    yield made
    made.close()


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "tests-forgotten"]


def test_what_is_called_runs_in_the_other_thread_and_its_result_comes_back(background):
    async def work() -> str:
        return threading.current_thread().name

    assert background.call(work) == "tests-background"


def test_errors_come_back_as_they_are(background):
    async def work() -> None:
        raise MoldauError("so it is")

    with pytest.raises(MoldauError, match="so it is"):
        background.call(work)


def test_an_error_before_there_is_a_coroutine_comes_back_too(background):
    def refuse():
        raise MoldauError("it is closed")

    with pytest.raises(MoldauError, match="it is closed"):
        background.call(refuse)


def test_a_signal_in_the_callers_thread_leaves_no_coroutine_behind(background, monkeypatch):
    """It came while the loop was being woken; the work has not begun, or is cancelled."""
    posting = background._inside.loop.post

    def interrupted(action):
        monkeypatch.undo()
        posting(action)
        raise KeyboardInterrupt

    monkeypatch.setattr(background._inside.loop, "post", interrupted)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(KeyboardInterrupt):
            background.call(lambda: asyncio.sleep(60))
        gc.collect()
    assert background.call(_task_count) == 2, "this one, and the one that is always there"


async def _task_count() -> int:
    for _ in range(3):  # for one that is being cancelled
        await asyncio.sleep(0)
    return len(asyncio.all_tasks())


def test_tasks_live_on_between_calls(background):
    async def begin():
        promise = background.tasks.promise()
        background.tasks.after(1, lambda: promise.keep(5))
        return promise

    async def finish() -> int:
        return int(await promise.wait())

    promise = background.call(begin)
    assert background.call(finish) == 5


def test_one_waits_for_what_is_done_there(background):
    done: list[str] = []

    def begin(open_gate) -> None:
        def later() -> None:
            done.append("later")
            open_gate()
            open_gate()

        background.tasks.after(20, later)

    assert background.wait_for(begin, None)
    assert done == ["later"]
    assert background.wait_for(lambda open_gate: open_gate(), 60)
    assert not background.wait_for(lambda _: None, 0.01)


def test_one_does_not_wait_for_a_loop_that_has_ended():
    ended = Background("tests-ended")
    with pytest.raises(BackgroundEndedError):
        ended.wait_for(lambda _: ended.post(ended._inside.stop), None)
    ended.close()


def test_what_is_posted_is_done_from_whatever_thread(background):
    done = threading.Semaphore(0)

    async def post_from_the_loop() -> None:
        background.post(done.release)

    background.post(done.release)
    background.call(post_from_the_loop)
    assert [done.acquire(timeout=60) for _ in range(2)] == [True, True]


def test_what_is_posted_after_the_end_is_void(background):
    background.close()
    background.post(lambda: pytest.fail("it was done"))


def test_after_its_end_a_call_is_refused(background):
    background.close()
    background.close()
    with pytest.raises(BackgroundEndedError, match="has ended"):
        background.call(asyncio.sleep)


def test_those_who_wait_learn_that_it_ends(background):
    begun = threading.Event()
    errors = []

    async def wait() -> None:
        begun.set()
        await background.tasks.promise().wait()

    def call() -> None:
        with pytest.raises(BackgroundEndedError, match="has ended") as caught:
            background.call(wait)
        errors.append(caught)

    thread = threading.Thread(target=call)
    thread.start()
    begun.wait()
    background.close()
    thread.join()
    assert len(errors) == 1


def test_a_bug_in_a_task_ends_it_loudly(background):
    async def fail() -> None:
        raise AssertionError("a bug")

    async def begin() -> None:
        background.tasks.spawn("buggy", fail())
        await asyncio.sleep(10)

    with pytest.raises(BackgroundEndedError) as caught:
        background.call(begin)
    assert "a bug" in str(caught.value.__cause__)


def test_one_that_is_forgotten_ends_by_itself():
    Background("tests-forgotten")
    gc.collect()
    assert threads() == []


def test_what_can_be_begun_in_the_waiting_thread_does_not_wake_the_loop(background):
    kept: list[object] = []

    def begin_here(open_gate) -> bool:
        background.post(open_gate)
        return True

    assert background.wait_for(kept.append, 5, begin_here)
    assert not kept
    assert not background.wait_for(kept.append, 0, lambda _open_gate: False)
    background.call(_nothing)
    assert len(kept) == 1


async def _nothing() -> None:
    """A turn of the loop."""
