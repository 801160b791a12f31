"""What functions of the user's raise."""

from __future__ import annotations

import pytest

from moldau.client.core.failure import Failure, Logged, ensure_done
from moldau.client.errors import InvalidArgumentError


def test_what_is_raised_is_kept_and_not_passed_on():
    with Failure() as failure:
        raise KeyError("city")
    assert isinstance(failure.error, KeyError)
    with Failure() as none:
        pass
    assert none.error is None


def test_what_ends_a_program_is_passed_on():
    with pytest.raises(KeyboardInterrupt), Logged("on_send"):
        raise KeyboardInterrupt


def test_a_side_effect_that_fails_is_logged_with_its_trace(caplog):
    with Logged("on_send of <Tracing>"):
        raise KeyError("city")
    assert "on_send of <Tracing> has failed, and the client goes on" in caplog.text
    (record,) = caplog.records
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], KeyError)


def test_a_coroutine_that_nothing_awaits_is_refused_and_closed():
    async def never() -> None: ...

    made = never()
    with pytest.raises(InvalidArgumentError, match=r"handle is a coroutine.*: use another"):
        ensure_done(made, "handle", "use another")
    assert getattr(made, "cr_frame", made) is None
    ensure_done(None, "handle")
