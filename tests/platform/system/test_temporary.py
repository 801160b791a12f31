"""Directories that no other process uses."""

from moldau.platform.system.files import SystemFiles
from moldau.platform.system.temporary import path_text, temporary_directory


def test_each_directory_is_another_and_empty():
    first, second = temporary_directory("moldau-"), temporary_directory("moldau-")
    files = SystemFiles()
    assert first != second
    assert files.list(first) == files.list(second) == []
    files.remove_tree(first)
    files.remove_tree(second)


def test_a_path_is_reported_as_text_in_whatever_form_it_comes(tmp_path):
    assert path_text(tmp_path) == path_text(str(tmp_path)) == str(tmp_path)
