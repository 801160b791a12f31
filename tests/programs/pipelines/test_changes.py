"""The database of the shop changes in the same way for the same seed."""

from __future__ import annotations

import json
from collections import Counter

from moldau.programs.pipelines.changes import database_of, shop_changes

UNTIL_MS = 1_795_000_000_000


def test_the_same_seed_gives_the_same_changes():
    made = list(shop_changes(400, 3, UNTIL_MS))
    assert made == list(shop_changes(400, 3, UNTIL_MS))
    assert len(made) == 400


def test_all_that_goes_wrong_is_there():
    made = list(shop_changes(3_000, 1, UNTIL_MS))
    changes = [json.loads(each.value) for each in made if each.value and not each.reason]
    assert set(Counter(change.get("op") for change in changes)) == {*"cudrt", None}
    places = [change["source"]["lsn"] for change in changes if "op" in change]
    assert places != sorted(places)
    assert len(set(places)) < len(places)
    assert any(each.value is None for each in made)
    assert any(each.reason == "unparsable" for each in made)
    assert any("vip" in row for row in database_of(made)["customers"].values())


def test_the_truth_does_not_depend_on_the_order():
    made = list(shop_changes(500, 2, UNTIL_MS))
    assert database_of(made) == database_of(made[::-1])
