"""Names of segments and their companions."""

from __future__ import annotations

import pytest

from moldau.broker.log.segment.file_names import file_name, kind_of, offset_in_name


def test_a_name_is_twenty_digits_and_a_kind():
    assert file_name(1437, ".log") == "00000000000000001437.log"
    assert file_name(0, ".index", ".swap") == "00000000000000000000.index.swap"
    assert offset_in_name("00000000000000001437.timeindex.deleted") == 1437


@pytest.mark.parametrize(
    "name", ["1437.log", "leader-epoch-checkpoint", "\u0660" * 20 + ".log", ""]
)
def test_other_names_have_no_offset(name):
    assert offset_in_name(name) is None
    assert kind_of(name) is None


def test_the_kind_is_known_only_with_its_suffix():
    name = "00000000000000000000.txnindex.cleaned"
    assert kind_of(name) is None
    assert kind_of(name, ".cleaned") == ".txnindex"
    assert kind_of("00000000000000000000.snapshot") == ".snapshot"
    assert kind_of("00000000000000000000.text") is None
