"""Directories are formatted once, all in one run, and say whose they are."""

from dataclasses import replace

import pytest

from moldau.broker.log.directory.meta_properties import read_meta_properties
from moldau.broker.metadata.snapshot_file import decode_snapshot
from moldau.broker.node.format_error import FormatError
from moldau.broker.node.format_plan import FormatOptions, plan_format
from moldau.broker.node.formatting import Formatter
from moldau.config.broker.settings import BrokerSettings
from moldau.platform.ports.files import read_whole
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.disk_crash import prefix_state
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.wire.uuids import uuid_text
from tests.broker.node.test_format_plan import DIRECTORY, GIVEN, STATIC

ZERO = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"


class Bench:
    """One node's directories, and what was shown while formatting them."""

    def __init__(self, given, **options):
        self.files = SimulatedFiles()
        self.random = SeededRandom(5)
        self.lines = []
        self.settings = BrokerSettings.of({**given, "log.dirs": "/a,/b"})
        asked = FormatOptions(**{"cluster_id": "c", **options})
        self.plan = plan_format(self.settings, asked, self.random)

    def format(self, *, ignore_formatted=False):
        formatter = Formatter(self.files, SimulatedClock(), self.random, self.lines.append)
        formatter.format(self.settings, self.plan, ignore_formatted=ignore_formatted)

    def properties(self, path):
        found = read_meta_properties(self.files, path)
        assert found is not None
        return found

    def snapshot(self, path):
        return decode_snapshot(read_whole(self.files, path), path)


def test_every_directory_belongs_to_the_node_and_has_the_first_records():
    bench = Bench(GIVEN, standalone=True)
    bench.format()
    one, other = (bench.properties(path) for path in ("/a", "/b"))
    assert (one.cluster_id, one.node_id) == ("c", 1)
    assert one.directory_id != other.directory_id
    assert bench.snapshot("/b/bootstrap.checkpoint").records == list(bench.plan.records)
    assert bench.lines == [
        "Formatting dynamic metadata voter directory /a with metadata.version 4.3-IV0.",
        "Formatting data directory /b with metadata.version 4.3-IV0.",
    ]


def test_the_voter_is_bound_to_its_directory():
    bench = Bench(GIVEN, standalone=True)
    bench.format()
    snapshot = bench.snapshot(f"/a/{ZERO}")
    assert snapshot.voters is not None
    (voter,) = snapshot.voters.voters
    assert voter.voter_directory_id == bench.properties("/a").directory_id
    assert snapshot.kraft_version == 1
    assert bench.files.status(f"/b/{ZERO}") is None


def test_a_listed_controller_gets_the_directory_id_that_was_listed():
    bench = Bench(GIVEN, initial_controllers=f"1@host:1:{DIRECTORY}")
    bench.format()
    directory_id = bench.properties("/a").directory_id
    assert uuid_text(directory_id or b"") == DIRECTORY


def test_a_static_quorum_has_no_voters_on_the_disk():
    bench = Bench(STATIC)
    bench.format()
    assert bench.files.status(f"/a/{ZERO}") is None
    assert bench.lines[0].startswith("Formatting metadata directory /a")


def test_what_is_formatted_is_never_formatted_again():
    bench = Bench(GIVEN, standalone=True)
    bench.format()
    before = bench.properties("/a")
    with pytest.raises(FormatError, match=r"already formatted\. Use --ignore-formatted"):
        bench.format()
    bench.format(ignore_formatted=True)
    assert bench.lines[-1] == "All of the log directories are already formatted."
    assert bench.properties("/a") == before


@pytest.mark.parametrize("is_left_alone", [False, True])
def test_a_directory_of_another_cluster_or_node_is_refused_and_named(is_left_alone):
    bench = Bench(GIVEN, standalone=True)
    bench.format()
    mine = bench.settings
    bench.settings = BrokerSettings.of({**GIVEN, "log.dirs": "/a,/b", "node.id": "7"})
    with pytest.raises(FormatError, match=r"Stored node id 1 .* node id 7 in /a/meta\.properties"):
        bench.format(ignore_formatted=is_left_alone)
    bench.settings, bench.plan = mine, replace(bench.plan, cluster_id="another")
    with pytest.raises(FormatError, match=r"Invalid cluster\.id in: /a/.* Expected another, but"):
        bench.format(ignore_formatted=is_left_alone)


def test_a_power_cut_right_after_formatting_undoes_nothing():
    bench = Bench({**GIVEN}, standalone=True)
    bench.settings = BrokerSettings.of({**GIVEN, "log.dirs": "/srv/kafka/a"})
    bench.format()
    left = SimulatedFiles(disk=prefix_state(bench.files.disk, 0).disk)
    assert read_meta_properties(left, "/srv/kafka/a") is not None
    assert left.status(f"/srv/kafka/a/{ZERO}") is not None
