"""One cluster that is served: who reaches it as whom."""

from __future__ import annotations

import pytest

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.tasks import run as run_tasks
from moldau.programs.console.reach import ConsoleSettings
from moldau.programs.console.search.routes import SearchesOfAll
from moldau.programs.console.serving.served import ServedCluster, ShownCluster, listed
from moldau.programs.console.values.masking import Masks
from moldau.programs.http.messages import HttpError
from moldau.programs.registry.logins import Kind, Login

SASL = {"bootstrap.servers": "a:1", "security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN"}


def served(tasks, name, *, with_logins):
    settings = ConsoleSettings(servers="a:1", cluster=name, masks=Masks(), read_only=True)
    return ServedCluster(
        ShownCluster(SASL, settings),
        SystemNetwork(),
        tasks,
        SystemClock(),
        SearchesOfAll(),
        with_logins=with_logins,
        neighbours={},
    )


def test_what_is_listed_of_a_cluster_has_no_address():
    async def looked(tasks):
        assert listed({"east": served(tasks, "east", with_logins=False)}) == [
            {"name": "east", "is_read_only": True}
        ]
        return 0

    run_tasks(looked)


@pytest.mark.parametrize(
    ("login", "why"),
    [
        (Login("alice", "secret"), "have not logged in at east"),
        (Login("token", "secret", Kind.DELEGATED, "alice"), "one cluster at a time"),
    ],
)
def test_a_password_is_shown_to_no_cluster_that_its_user_has_not_opened(login, why):
    async def asked(tasks):
        with pytest.raises(HttpError, match=why) as refused:
            async with served(tasks, "east", with_logins=True).reach(login):
                raise AssertionError("it was let in")
        assert refused.value.status == 403
        return 0

    run_tasks(asked)
