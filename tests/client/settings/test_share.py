"""Settings of a share consumer."""

from __future__ import annotations

import pytest

from moldau.client.settings.client import settings_of
from moldau.client.settings.share import ShareSettings
from moldau.config.refusals import InvalidSettingError, MissingSettingError


def chosen(**settings: object) -> ShareSettings:
    return settings_of(ShareSettings, "b1:9092", settings)


def test_a_group_has_to_be_named():
    with pytest.raises(MissingSettingError, match=r"group\.id"):
        chosen()


def test_modes_are_chosen_by_name():
    plain = chosen(group_id="g")
    assert (plain.is_explicit, plain.is_strict) == (False, False)
    strict = chosen(
        group_id="g", share_acknowledgement_mode="EXPLICIT", share_acquire_mode="record_limit"
    )
    assert (strict.is_explicit, strict.is_strict) == (True, True)
    with pytest.raises(InvalidSettingError, match="implicit, explicit"):
        chosen(group_id="g", share_acknowledgement_mode="both")
