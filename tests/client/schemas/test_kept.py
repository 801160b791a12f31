"""What is not asked for twice."""

from __future__ import annotations

import asyncio

import pytest

from moldau.client.schemas.kept import KEPT_MAX, Kept, KeptAnswers


def noting(made):
    def make(key: int) -> int:
        made.append(key)
        return key

    return make


def test_each_is_made_once_and_the_number_is_bounded():
    made: list[int] = []
    kept = Kept(noting(made))
    for key in (*range(1, KEPT_MAX + 1), 1, 1):
        assert kept.get(key) == key
    assert len(made) == KEPT_MAX
    kept.get(KEPT_MAX + 1)
    assert repr(kept) == f"<Kept of {KEPT_MAX}>"


def test_what_was_used_last_stays():
    made: list[int] = []
    kept = Kept(noting(made))
    for key in range(KEPT_MAX):
        kept.get(key)
    kept.get(0)
    kept.get(KEPT_MAX)
    made.clear()
    kept.get(0)
    assert made == []
    kept.get(1)
    assert made == [1]


def test_an_answer_is_kept_and_a_failure_is_not():
    async def main():
        kept: KeptAnswers[int, int] = KeptAnswers()
        made: list[int] = []

        async def make():
            made.append(1)
            if len(made) == 1:
                raise LookupError
            return len(made)

        with pytest.raises(LookupError):
            await kept.get(1, make)
        return [await kept.get(1, make), await kept.get(1, make)], repr(kept)

    assert asyncio.run(main()) == ([2, 2], "<KeptAnswers of 1>")
