"""`./dev show`."""

import pytest

from devtools.show import source_of


def test_both_functions_are_shown():
    source = source_of("ProduceRequest", "9")
    assert "def decode" in source
    assert "def encode" in source


def test_a_name_that_is_not_there_brings_those_near_it():
    with pytest.raises(SystemExit, match="ProduceRequest, ProduceResponse"):
        source_of("Produce", "9")


@pytest.mark.parametrize("version", ["99", "nine"])
def test_a_version_that_is_not_served_brings_those_that_are(version):
    with pytest.raises(SystemExit, match="has the versions 3-13"):
        source_of("ProduceRequest", version)
