"""What a compiled module may hold, and what may be done to it: STYLE.md says why."""

from __future__ import annotations

import ast
import ctypes
import re
from collections.abc import Iterator

import pytest

from devtools.hot_modules import compiled_files, hot_modules
from tests.tidy.source import Source, assert_none, python_sources

CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")
OPEN_BASES = ("Protocol", "NamedTuple", "Enum", "IntEnum")


def path_of(module: str) -> str:
    return f"src/{module.replace('.', '/')}.py"


def hot_sources() -> list[Source]:
    paths = {path_of(module) for module in hot_modules()}
    return [source for source in python_sources("src") if source.path in paths]


def dataclasses_in(source: Source) -> Iterator[str]:
    for node in source.nodes:
        if isinstance(node, ast.ClassDef) and any(
            "dataclass" in ast.unparse(decorator) for decorator in node.decorator_list
        ):
            yield f"{source.path}: {node.name} is a dataclass"


def changeable_constants(source: Source) -> Iterator[str]:
    for node in source.tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]):
                annotation = ""
            case ast.AnnAssign(target=ast.Name(id=name)):
                annotation = ast.unparse(node.annotation)
            case _:
                continue
        if CONSTANT.fullmatch(name) and "Final" not in annotation:
            yield f"{source.path}: {name} is not Final"


def waits_in_handlers(source: Source) -> Iterator[str]:
    """While a compiled coroutine waits there, its exception is the context of all others."""
    for node in source.nodes:
        if isinstance(node, ast.ExceptHandler):
            for inner in ast.walk(node):
                if isinstance(inner, (ast.Await, ast.AsyncWith, ast.AsyncFor)):
                    yield f"{source.path}:{inner.lineno}: a wait in the handler of an exception"


def defaults_of_instances(source: Source) -> Iterator[str]:
    """A compiled exception would not have them: its instances are made by Python."""
    for node in source.nodes:
        if not isinstance(node, ast.ClassDef) or any(
            ast.unparse(base).startswith(OPEN_BASES) for base in node.bases
        ):
            continue
        for line in node.body:
            match line:
                case ast.Assign(targets=[ast.Name(id=name)]) if name != "__slots__":
                    yield f"{source.path}: {node.name}.{name} is no ClassVar"
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()) if (
                    "ClassVar" not in ast.unparse(line.annotation)
                ):
                    yield f"{source.path}: {node.name}.{name} is no ClassVar"


def closed_classes(sources: list[Source]) -> dict[tuple[str, str], str]:
    """By module and name, the file of each class that interpreted code cannot inherit from."""
    return {
        (source.path.removeprefix("src/").removesuffix(".py").replace("/", "."), node.name): (
            source.path
        )
        for source in sources
        for node in source.tree.body
        if isinstance(node, ast.ClassDef)
        and not any(ast.unparse(base).startswith(OPEN_BASES) for base in node.bases)
    }


def imported_by(source: Source) -> dict[str, tuple[str, str]]:
    """By the name it has there, where each thing comes from."""
    return {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in source.nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def heirs(source: Source, closed: dict[tuple[str, str], str]) -> Iterator[str]:
    imported = imported_by(source)
    for node in source.nodes:
        for base in node.bases if isinstance(node, ast.ClassDef) else ():
            origin = imported.get(ast.unparse(base).partition("[")[0])
            if origin in closed:
                yield f"{source.path}: {ast.unparse(base)} is compiled and cannot be inherited from"


def replacements(source: Source, hot: set[str]) -> Iterator[str]:
    """What is put into a compiled module or class: nothing that is compiled would see it."""
    imported = imported_by(source)
    for node in source.nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(attr="setattr"),
                args=[ast.Name(id=owner), ast.Constant(str(name)), _],
            ):
                package, thing = imported.get(owner, ("", ""))
                if {package, f"{package}.{thing}"} & hot:
                    yield f"{source.path}: {owner}.{name} is compiled and cannot be replaced"
            case _:
                pass


def test_no_hot_module_has_a_dataclass():
    assert_none(complaint for source in hot_sources() for complaint in dataclasses_in(source))


def test_constants_of_hot_modules_are_final():
    assert_none(complaint for source in hot_sources() for complaint in changeable_constants(source))


def test_no_hot_module_waits_while_it_handles_an_exception():
    assert_none(complaint for source in hot_sources() for complaint in waits_in_handlers(source))


def test_classes_of_hot_modules_have_no_defaults_for_their_instances():
    assert_none(
        complaint for source in hot_sources() for complaint in defaults_of_instances(source)
    )


def test_no_interpreted_class_inherits_from_a_compiled_one():
    hot = hot_sources()
    closed = closed_classes(hot)
    paths = {source.path for source in hot}
    assert_none(
        complaint
        for source in python_sources("src", "tests", "bench")
        if source.path not in paths
        for complaint in heirs(source, closed)
    )


def test_nothing_is_put_into_a_compiled_module():
    hot = set(hot_modules())
    assert_none(
        complaint for source in python_sources("tests") for complaint in replacements(source, hot)
    )


def test_each_of_these_is_noticed():
    hot = Source(
        "src/moldau/hot.py",
        "SIZE = 1\nLIMIT: Final = 1\n\n@dataclass(slots=True)\nclass Held:\n    code = 1\n",
    )
    assert list(dataclasses_in(hot)) == ["src/moldau/hot.py: Held is a dataclass"]
    assert list(changeable_constants(hot)) == ["src/moldau/hot.py: SIZE is not Final"]
    assert list(defaults_of_instances(hot)) == ["src/moldau/hot.py: Held.code is no ClassVar"]
    cold = Source("x.py", "from moldau.hot import Held as Base\nclass Heir(Base): ...\n")
    assert list(heirs(cold, closed_classes([hot]))) == [
        "x.py: Base is compiled and cannot be inherited from"
    ]
    cold = Source("x.py", "from moldau import hot\nmonkeypatch.setattr(hot, 'SIZE', 2)\n")
    assert list(replacements(cold, {"moldau.hot"})) == [
        "x.py: hot.SIZE is compiled and cannot be replaced"
    ]


def test_the_compiled_library_shows_nothing_but_what_python_imports() -> None:
    """Its own functions call each other directly, and none can be put in the place of another."""
    libraries = [path for path in compiled_files() if "__mypyc." in path.name]
    if not libraries:
        pytest.skip("the hot modules run as plain Python: ./dev build compiles them")
    library = ctypes.CDLL(str(libraries[0]))
    assert hasattr(library, "PyInit_moldau_hot__mypyc")
    assert not hasattr(library, "CPyDef_scan___read_varint")
