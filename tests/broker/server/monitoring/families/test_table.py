"""The families that a setting can name are those that there are."""

from __future__ import annotations

import pytest

from devtools.reference import FOLDER
from moldau.broker.server.monitoring.families.table import DOC, FAMILIES
from moldau.broker.server.monitoring.figures import catalogue
from moldau.config.own import OwnSettings
from moldau.config.refusals import InvalidSettingError


def test_all_of_them_can_be_named_and_no_other():
    settings = OwnSettings({"moldau.metrics.families": ",".join(FAMILIES)})
    assert settings.moldau_metrics_families == tuple(FAMILIES)
    with pytest.raises(InvalidSettingError):
        OwnSettings({"moldau.metrics.families": "others"})


def test_no_name_is_one_of_kafkas_and_each_is_in_the_documents():
    assert DOC.keys().isdisjoint(catalogue.DOC)
    text = (FOLDER / "metrics.md").read_text()
    assert [name for name in DOC if f"`{name}`" not in text] == []
