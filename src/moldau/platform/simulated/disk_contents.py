"""What is inside a file of the virtual disk: pages that are there, and holes that read as zeros.

A page is an immutable `bytes` of 4 KiB. So a copy of a file copies one small dict, history costs a
reference per changed page, and an index that is preallocated to 10 MiB takes no room until entries
are written. Behind the end of the file the last page holds zeros, always.
"""

from __future__ import annotations

from moldau.platform.buffers import Buffer

PAGE_SIZE = 4096
_HOLE = bytes(PAGE_SIZE)


class Contents:
    """A sparse file: its size, and the pages that were ever written."""

    __slots__ = ("pages", "size")

    def __init__(self, pages: dict[int, bytes] | None = None, size: int = 0) -> None:
        self.pages = pages if pages is not None else {}
        self.size = size

    def copy(self) -> Contents:
        return Contents(dict(self.pages), self.size)

    def page(self, number: int) -> bytes:
        return self.pages.get(number, _HOLE)

    def read(self, position: int, size: int) -> bytes:
        end = min(position + size, self.size)
        if end <= position:
            return b""
        first = position // PAGE_SIZE
        pages = [self.page(number) for number in range(first, (end - 1) // PAGE_SIZE + 1)]
        begin = first * PAGE_SIZE
        return b"".join(pages)[position - begin : end - begin]

    def write(self, position: int, data: Buffer) -> dict[int, bytes]:
        """Put `data` there and grow if needed; the changed pages come back."""
        changed = {}
        done = 0
        while done < len(data):
            number, inside = divmod(position + done, PAGE_SIZE)
            piece = bytes(data[done : done + PAGE_SIZE - inside])
            changed[number] = _patched(self.page(number), inside, piece)
            done += len(piece)
        self.pages.update(changed)
        self.size = max(self.size, position + len(data))
        return changed

    def resize(self, size: int) -> dict[int, bytes]:
        """Cut or grow; the page with the new end comes back when its tail had to be cleared."""
        changed: dict[int, bytes] = {}
        if size < self.size:
            self.drop_pages(self.page_after(size))
            boundary, inside = divmod(size, PAGE_SIZE)
            if inside and boundary in self.pages:
                changed[boundary] = self.pages[boundary][:inside] + _HOLE[inside:]
        self.pages.update(changed)
        self.size = size
        return changed

    def page_after(self, size: int) -> int:
        """The first page that a file of `size` bytes does not have."""
        return -(-size // PAGE_SIZE)

    def drop_pages(self, first: int) -> None:
        """Free the pages from `first` on: they are holes now."""
        for number in [number for number in self.pages if number >= first]:
            del self.pages[number]


def _patched(page: bytes, inside: int, piece: bytes) -> bytes:
    if len(piece) == PAGE_SIZE:
        return piece
    return page[:inside] + piece + page[inside + len(piece) :]
