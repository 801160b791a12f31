"""Images are read from snapshots, segments and directories."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.snapshot import image_records
from moldau.errors import FileMissingError
from moldau.platform.ports.files import replace_whole
from moldau.programs.tools.metadata.metadata_files import load_metadata
from tests.broker.metadata.full_image import full_image
from tests.programs.tools.metadata.conftest import FOLDER, SNAPSHOT

LAST = len(list(image_records(full_image())))
"""The header of a snapshot is a control batch, whose records count too."""


def test_a_snapshot_alone_counts_its_own_offsets(files):
    loaded = load_metadata(files, SNAPSHOT)
    assert (loaded.image.offset, loaded.image.epoch) == (LAST, 5)
    assert loaded.time_ms == 1_700_000_000_120
    assert list(loaded.image.topics.by_name) == ["orders"]


@pytest.mark.parametrize("path", [FOLDER, "/data", "/data/"])
def test_a_directory_is_read_from_its_last_snapshot_on(files, path, contents):
    log = f"{FOLDER}/{90:020}.log"
    replace_whole(files, log, contents)
    loaded = load_metadata(files, path)
    assert loaded.image.offset == 99
    assert list(loaded.image.topics.by_name) == ["orders"]


def test_a_batch_that_is_cut_off_ends_a_segment(files, contents):
    log = f"{FOLDER}/{0:020}.log"
    replace_whole(files, log, contents[:-3])
    assert load_metadata(files, log).image.offset == LAST


def test_what_is_not_there_is_named(files):
    with pytest.raises(FileMissingError, match="no such snapshot"):
        load_metadata(files, "/nowhere")
    files.make_directory("/empty")
    with pytest.raises(FileMissingError, match="neither snapshots nor segments"):
        load_metadata(files, "/empty")
