"""The mark of an orderly stop."""

from __future__ import annotations

import pytest

from moldau.broker.log.directory.clean_shutdown import (
    FILE_NAME,
    take_clean_shutdown,
    write_clean_shutdown,
)
from moldau.platform.system.files import SystemFiles


def test_the_marker_is_kafkas_json(tmp_path):
    write_clean_shutdown(SystemFiles(), str(tmp_path), 57)
    assert (tmp_path / FILE_NAME).read_text() == '{"version":0,"brokerEpoch":57}'


def test_it_can_be_taken_once(tmp_path):
    write_clean_shutdown(SystemFiles(), str(tmp_path), 57)
    assert take_clean_shutdown(SystemFiles(), str(tmp_path)) == 57
    assert take_clean_shutdown(SystemFiles(), str(tmp_path)) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "contents", [b"", b"\xff", b"[]", b'{"version":0}', b'{"brokerEpoch":"x"}', b"[" * 9_000, b"1"]
)
def test_a_marker_that_cannot_be_read_still_marks(tmp_path, contents):
    (tmp_path / FILE_NAME).write_bytes(contents)
    assert take_clean_shutdown(SystemFiles(), str(tmp_path)) == -1
