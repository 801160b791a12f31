"""Another function in the place of an API's handler, for as long as a test wants it.

Nothing can be put into a compiled module, so the module itself is replaced; and which function
answers an API is asked once for all nodes of a process, so that is forgotten before and after.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from moldau.broker.server.apis import handler_of


@contextmanager
def answered_by(handle: Callable[..., Any], instead_of: ModuleType) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, instead_of.__name__, SimpleNamespace(handle=handle))
        handler_of.cache_clear()
        try:
            yield
        finally:
            handler_of.cache_clear()
