"""The user of HTTP is the principal of Kafka: access rules decide, and wrong passwords get 401."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import pytest

from moldau.config.refusals import SettingError
from moldau.programs.rest.service import RestService
from tests.judges.logins import ALICE, ALICE_PASSWORD

JSON = "application/vnd.kafka.json.v2+json"
ANY_HOST = {"host": "*", "pattern_type": "LITERAL", "permission": "ALLOW"}


def with_login(user, password):
    return {"Authorization": f"Basic {b64encode(f'{user}:{password}'.encode()).decode()}"}


def test_the_user_of_http_is_the_principal_whose_rules_hold(guarded):
    mine, records = f"{ALICE}-topic", {"records": [{"value": 1}]}
    guarded.v3("POST", "topics", {"topic_name": mine, "partitions_count": 1})
    alice = with_login(ALICE, ALICE_PASSWORD)
    status, body = guarded.ask("POST", f"/topics/{mine}", records, JSON, **alice)
    assert (status, body["error_code"]) == (403, 40301)
    for operation in ("WRITE", "READ"):
        rule = {**ANY_HOST, "principal": f"User:{ALICE}", "operation": operation}
        rule |= {"resource_type": "TOPIC", "resource_name": mine}
        assert guarded.v3("POST", "acls", rule)[0] == 201
    status, body = guarded.ask("POST", f"/topics/{mine}", records, JSON, **alice)
    assert (status, body["offsets"][0]["offset"]) == (200, 0)
    listed = guarded.ask("GET", "/topics", **alice)[1]
    assert listed == [mine]


def test_consumers_are_of_the_user_who_made_them(guarded):
    status, _ = guarded.ask("POST", "/consumers/theirs", {"name": "one"})
    assert status == 200
    alice = with_login(ALICE, ALICE_PASSWORD)
    path = "/consumers/theirs/instances/one"
    assert guarded.ask("GET", f"{path}/subscription", **alice)[1]["error_code"] == 40403
    assert guarded.ask("DELETE", path) == (204, None)


@pytest.mark.parametrize("login", [{}, with_login(ALICE, "wrong"), with_login("eve", "x")])
def test_whom_the_cluster_does_not_know_is_refused(guarded, login):
    status, headers, body = guarded.raw("GET", "/topics", **(login or {"Authorization": ""}))
    assert (status, json.loads(body)["error_code"]) == (401, 40101)
    assert headers["WWW-Authenticate"] == 'Basic realm="kafka", Bearer realm="kafka"'


def test_logins_need_a_cluster_that_asks_for_them():
    nothing: Any = None
    with pytest.raises(SettingError, match=r"security\.protocol"):
        RestService({}, nothing, nothing, nothing, nothing, with_logins=True)
