"""Quotas, as conversations."""

from __future__ import annotations

import pytest

from moldau.client.core.admin.quotas import (
    QuotaMatch,
    alter_client_quotas,
    describe_client_quotas,
    entity_of,
)
from moldau.client.errors import InvalidArgumentError
from tests.client.core.admin.asking import call, talk


def test_an_entity_has_its_parts_in_one_order():
    entity = entity_of({"user": "a", "client-id": None})
    assert entity == entity_of({"client-id": None, "user": "a"})
    assert str(entity) == "client-id by default, user a"
    assert entity_of(entity) == entity
    with pytest.raises(InvalidArgumentError, match="'host'"):
        entity_of({"host": "a"})


def test_a_part_is_looked_for_by_name_default_or_any():
    match = {"user": "a", "client-id": None, "ip": QuotaMatch.ANY}
    rows = talk(describe_client_quotas(call(), match)).asked[0][1].components
    assert [(row.match_type, row.match) for row in rows] == [(0, "a"), (1, None), (2, None)]


def test_none_removes_a_quota():
    changes = {entity_of({"ip": None}): {"connection_creation_rate": None, "x": 2.0}}
    (entry,) = talk(alter_client_quotas(call(), changes)).asked[0][1].entries
    assert [(row.remove, row.value) for row in entry.ops] == [(True, 0.0), (False, 2.0)]
