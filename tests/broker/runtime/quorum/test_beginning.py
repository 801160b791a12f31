"""The first records of a cluster."""

from pathlib import Path

from moldau.broker.metadata.activation import bootstrap_records, feature_levels
from moldau.broker.runtime.quorum.beginning import read_bootstrap_records
from moldau.platform.ports.files import replace_whole
from moldau.platform.simulated.files import SimulatedFiles

VECTORS = Path(__file__).parents[3] / "vectors" / "quorum"


def test_they_are_what_formatting_left():
    files = SimulatedFiles()
    files.make_directory("/data")
    contents = (VECTORS / "bootstrap.checkpoint").read_bytes()
    replace_whole(files, "/data/bootstrap.checkpoint", contents)
    assert feature_levels(read_bootstrap_records(files, "/data"))["metadata.version"] == 30


def test_without_that_file_they_are_those_of_the_latest_release():
    files = SimulatedFiles()
    files.make_directory("/data")
    assert read_bootstrap_records(files, "/data") == bootstrap_records()
