"""Directories that nobody else uses."""

from moldau.system.files import SystemFiles
from moldau.system.temporary import temporary_directory


def test_each_directory_is_another_and_empty():
    first, second = temporary_directory("moldau-"), temporary_directory("moldau-")
    files = SystemFiles()
    assert first != second
    assert files.list(first) == files.list(second) == []
    files.remove_tree(first)
    files.remove_tree(second)
