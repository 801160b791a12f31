"""Memory is free as long as no view of it is held."""

from __future__ import annotations

from moldau.platform.buffers import is_free


def test_memory_is_free_once_its_last_view_is_gone():
    memory = bytearray(b"contents")
    view = memoryview(memory)[2:]
    assert not is_free(memory)
    del view
    assert is_free(memory)
    assert memory == b"contents"
