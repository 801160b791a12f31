"""Routes behind logins; that the cluster decides about users is tested with a node."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.config.refusals import SettingError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.tasks import run
from moldau.programs.http.front import Front
from moldau.programs.http.messages import HttpError, Request
from moldau.programs.registry.guarding import ensure_logins, guarded
from tests.programs.registry.asked import Asked

NO_NETWORK: Any = None


def test_who_shows_no_login_reaches_no_route():
    async def scenario(tasks):
        asked = Asked()
        router = guarded(
            asked.router, asked.scope, {}, NO_NETWORK, tasks, SimulatedClock(), Front()
        )
        handler, _ = router.find("GET", "/subjects")
        answer: Any = handler(Request("GET", "/subjects"))
        with pytest.raises(HttpError) as refused:
            await answer
        await router.close()
        return refused.value.status

    assert run(scenario, SimulatedClock()) == 401


def test_a_cluster_without_logins_has_no_users():
    with pytest.raises(SettingError, match="logins are for a cluster"):
        ensure_logins({"bootstrap.servers": "localhost:9092"})
