"""Names of a package that are imported when they are first asked for (PEP 562).

A package that exports many classes would load them all with each `import`, and a program that needs
one would wait for the others. The package shows type checkers where its names are, by imports under
`TYPE_CHECKING`, and gives the same as a table to `lazy_names`:

    if TYPE_CHECKING:
        from moldau.client.sync.producer import Producer
    else:
        __getattr__ = lazy_names(__name__, {"sync.producer": "Producer"})

A test holds the two together. Modules of the package are found as well, as they would be if it had
imported them.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType

__all__ = ["imported", "lazy_names"]


def imported(module: str) -> ModuleType:
    """The module, and all that it needs.

    Whatever importing makes is there to stay, so looking for garbage in it is left out meanwhile.
    """
    if not gc.isenabled():
        return import_module(module)
    gc.disable()
    try:
        return import_module(module)
    finally:
        gc.enable()


def lazy_names(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """The package's `__getattr__`; `names` has words by the module, within `moldau`, of each."""
    places = {name: module for module, line in names.items() for name in line.split()}

    def find(name: str) -> object:
        if name in places:
            found: object = getattr(imported(f"moldau.{places[name]}"), name)
        else:
            found = _module_of(package, name)
        setattr(sys.modules[package], name, found)
        return found

    return find


def _module_of(package: str, name: str) -> object:
    """The package's module of this name, or `AttributeError`."""
    full = f"{package}.{name}"
    if not name.startswith("_") and hasattr(sys.modules[package], "__path__"):
        try:
            return imported(full)
        except ModuleNotFoundError as error:
            if error.name != full:
                raise
    raise AttributeError(f"module {package!r} has no attribute {name!r}")
