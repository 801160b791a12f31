"""What has an id is made once; what failed, and what has none, again."""

import asyncio

import pytest

from moldau.programs.console.changes import once as module
from moldau.programs.console.changes.once import Once
from moldau.programs.http.messages import HttpError


class Making:
    """Counts, and fails or waits when it should."""

    def __init__(self):
        self.count = 0
        self.failure = None
        self.goes_on = asyncio.Event()
        self.goes_on.set()

    async def __call__(self):
        await self.goes_on.wait()
        self.count += 1
        if self.failure is not None:
            raise self.failure
        return {"count": self.count}


def made(once, make, *identities):
    """The counts, one after the other."""

    async def all_of_them():
        return [(await once.of(identity, make))["count"] for identity in identities]

    return asyncio.run(all_of_them())


def test_an_id_is_made_once_and_none_each_time():
    assert made(Once(), Making(), "a", "a", "b", None, None) == [1, 1, 2, 3, 4]


def test_what_is_being_made_is_refused_and_what_failed_may_be_tried_again():
    asyncio.run(_refused_and_tried_again())


async def _refused_and_tried_again():
    once, make = Once(), Making()
    make.goes_on.clear()
    async with asyncio.TaskGroup() as group:
        first = group.create_task(_failure(once, make))
        await asyncio.sleep(0)
        assert "being made already" in await _failure(once, make)
        make.failure = HttpError(503, "no leader")
        make.goes_on.set()
    assert "no leader" in first.result()
    make.failure = None
    assert await once.of("a", make) == {"count": 2}


async def _failure(once, make):
    with pytest.raises(HttpError) as failure:
        await once.of("a", make)
    return str(failure.value)


def test_the_oldest_ids_are_forgotten(monkeypatch):
    monkeypatch.setattr(module, "REMEMBERED_MAX", 2)
    assert made(Once(), Making(), *"abccba") == [1, 2, 3, 3, 2, 4]


@pytest.mark.parametrize("identity", ["", "a" * 101, 7])
def test_what_is_no_id_is_a_sentence(identity):
    with pytest.raises(HttpError, match="1 to 100 letters"):
        made(Once(), Making(), identity)
