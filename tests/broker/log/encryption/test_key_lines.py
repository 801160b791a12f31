"""Keys are added to a file and taken out of it; the others stay, whatever happens meanwhile."""

from __future__ import annotations

import stat

from moldau.broker.log.encryption.key_file import KeyFile
from moldau.broker.log.encryption.key_lines import add_key, find_key_lines, remove_key
from moldau.platform.ports.files import read_whole
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.files import SystemFiles

PATH = "keys"
FIRST, SECOND, THIRD = (bytes([number]) * 32 for number in (1, 2, 3))


def ids(files: SimulatedFiles) -> list[str]:
    return [line.id for line in find_key_lines(files, PATH)]


def write(files: SimulatedFiles, text: bytes) -> None:
    file = files.open(PATH, create=True)
    file.append(text)
    file.close()


def test_what_is_added_is_what_a_node_reads():
    files = SimulatedFiles()
    add_key(files, PATH, "orders.1", FIRST)
    add_key(files, PATH, "orders.2", SECOND)
    assert KeyFile(files, PATH, SeededRandom(1)).current("orders") == "orders.2"
    assert [line.key for line in find_key_lines(files, PATH)] == [FIRST, SECOND]
    assert "orders.1, hidden" in repr(find_key_lines(files, PATH)[0])


def test_a_key_begins_a_line_of_its_own_also_behind_a_line_that_was_left_open():
    files = SimulatedFiles()
    write(files, b"# by hand")
    add_key(files, PATH, "orders.1", FIRST)
    assert read_whole(files, PATH).startswith(b"# by hand\norders.1 = ")


def test_a_removed_key_leaves_a_comment_and_all_others():
    files = SimulatedFiles()
    for key_id, key in (("orders.1", FIRST), ("orders.2", SECOND), ("o.3", THIRD)):
        add_key(files, PATH, key_id, key)
    before = read_whole(files, PATH)
    remove_key(files, PATH, find_key_lines(files, PATH), "orders.2")
    after = read_whole(files, PATH)
    assert ids(files) == ["orders.1", "o.3"]
    assert after.split(b"\n")[1].rstrip() == b"# orders.2 is retired"
    assert len(after) == len(before)
    assert b"AgIC" in before
    assert b"AgIC" not in after


def test_a_file_of_keys_is_made_for_its_owner_alone(tmp_path):
    path = tmp_path / "keys"
    add_key(SystemFiles(), str(path), "orders.1", FIRST)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_lines_of_other_systems_and_short_ones_are_removed_alike():
    files = SimulatedFiles()
    key = b"A" * 43 + b"="
    write(files, b"a.1=" + key + b"\r\n  b.1 = " + key + b"  \r\nc.1=" + key)
    for key_id in ("a.1", "c.1"):
        remove_key(files, PATH, find_key_lines(files, PATH), key_id)
        assert key_id not in ids(files)
    assert ids(files) == ["b.1"]
