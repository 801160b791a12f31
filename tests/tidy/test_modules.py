"""Every module says what it is, is tested by its own test, and means what it exports."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.tidy.source import ROOT, Source, assert_none, python_sources

QUICK = "src/moldau/platform/quick_dataclass.py"
COPIED = "src/moldau/programs/pipelines/"
"""What users copy is plain Python, and it loads Spark, beside which a decorator costs nothing."""
PORT_PACKAGES = ("platform/system", "platform/simulated")
"""One suite in tests/platform/ports may judge both implementations of a port."""


def without_docstring(source: Source) -> bool:
    return not ast.get_docstring(source.tree)


def does_something(source: Source) -> bool:
    """Whether any function has a body: declarations are tested by who uses them."""
    functions = (
        node for node in source.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return any(not is_declaration(node.body) for node in functions)


def is_declaration(body: list[ast.stmt]) -> bool:
    """A docstring, an ellipsis, or both."""
    return all(isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) for line in body)


def places_of_test(path: str) -> list[str]:
    """Where the test of a module may be: the same folder under tests/, with `test_` before it."""
    folder, _, name = path.removeprefix("src/moldau/").rpartition("/")
    own = f"tests/{folder}/test_{name.lstrip('_')}".replace("tests//", "tests/")
    shared = f"tests/platform/ports/test_{name}"
    return [own, shared] if folder in PORT_PACKAGES else [own]


def exports(tree: ast.Module) -> set[str] | None:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__"), *_]):
                return set(ast.literal_eval(node.value))
            case _:
                pass
    return None


def untrue_exports(source: Source) -> Iterator[str]:
    """Names in `__all__` that are not there, and public functions and classes that it forgot."""
    promised = exports(source.tree)
    if promised is None:
        return
    yield from (f"{source.path}: {name} is nowhere" for name in promised - names(source))
    public = {
        node.name
        for node in source.tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
    }
    yield from (f"{source.path}: {name} is not in __all__" for name in public - promised)


def names(source: Source) -> set[str]:
    found = set()
    for node in source.nodes:
        match node:
            case ast.Import() | ast.ImportFrom():
                found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.Name(ctx=ast.Store()):
                found.add(node.id)
            case _:
                pass
    return found


def takes_slow_decorator(source: Source) -> bool:
    """Python's own `dataclass` costs a start most of a millisecond for a frozen class."""
    return any(
        (
            isinstance(node, ast.ImportFrom)
            and node.module == "dataclasses"
            and "dataclass" in names_in(node)
        )
        or (
            isinstance(node, ast.Attribute)
            and node.attr == "dataclass"
            and ast.unparse(node) == "dataclasses.dataclass"
        )
        for node in source.nodes
    )


def names_in(node: ast.ImportFrom) -> set[str]:
    return {alias.name for alias in node.names}


def test_every_module_says_what_it_is():
    assert_none(source.path for source in python_sources() if without_docstring(source))


def test_every_module_that_does_something_has_its_own_test():
    missing = [
        source.path
        for source in python_sources("src", "devtools")
        if not source.path.endswith(("__init__.py", "__main__.py")) and does_something(source)
        if not any((ROOT / place).exists() for place in places_of_test(source.path))
    ]
    assert_none(missing)


def test_what_a_module_exports_is_true():
    assert_none(
        complaint for source in python_sources("src") for complaint in untrue_exports(source)
    )


def test_dataclasses_are_made_by_the_quick_decorator():
    assert_none(
        source.path
        for source in python_sources("src")
        if source.path != QUICK and not source.path.startswith(COPIED)
        if takes_slow_decorator(source)
    )


def test_a_slow_decorator_is_noticed():
    assert takes_slow_decorator(Source("x.py", "from dataclasses import dataclass, field\n"))
    assert takes_slow_decorator(
        Source("x.py", "import dataclasses\n@dataclasses.dataclass\nclass A: ...\n")
    )
    assert not takes_slow_decorator(Source("x.py", "from dataclasses import field, replace\n"))


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("src/moldau/broker/log/segment/segment.py", ["tests/broker/log/segment/test_segment.py"]),
        ("src/moldau/errors.py", ["tests/test_errors.py"]),
        ("devtools/steps.py", ["tests/devtools/test_steps.py"]),
        (
            "src/moldau/platform/system/clock.py",
            ["tests/platform/system/test_clock.py", "tests/platform/ports/test_clock.py"],
        ),
    ],
)
def test_a_test_is_where_its_module_is(path, places):
    assert places_of_test(path) == places


def test_a_module_without_docstring_is_noticed():
    assert without_docstring(Source("x.py", "a = 1\n"))


def test_declarations_need_no_test_but_code_does():
    assert not does_something(
        Source("x.py", 'class A:\n    def f(self):\n        """Says."""\n        ...\n')
    )
    assert does_something(Source("x.py", "def f():\n    return 1\n"))


def test_an_untrue_export_is_noticed():
    sample = Source("x.py", "__all__ = ['gone']\ndef forgotten(): ...\n")
    assert list(untrue_exports(sample)) == [
        "x.py: gone is nowhere",
        "x.py: forgotten is not in __all__",
    ]
