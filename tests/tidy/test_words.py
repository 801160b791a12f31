"""Words that have no place in the project, and `print` outside the tools."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import repeat

import pytest

from tests.tidy.source import ROOT, Source, assert_none, project_files, python_sources

TEXT = (".py", ".md", ".toml", ".java", ".yml", ".txt", ".json")
BAGS = re.compile(r"(^|_)(utils?|helpers?|misc|common)(_|$)")
"""Names for which it was not decided what belongs there."""
REPLACED = {
    r"nobody|everybody|somebody|anybody|whoever": "name the client, the caller, the reader, …",
    r"he|him|his|she|her": "programs are not persons: `it`, or the thing's name",
    r"tells|teller": "sends, reports, has, shows: what happens",
    r"told|untold": "sent, advertised, reported, merged, previous: what happens",
    r"stor(?:y|ies)": "scenario, or what it is: events, an outcome",
    r"said|unsaid": "acknowledged, committed, declared, set, sent: what happened",
    r"hear|heard|hears": "a heartbeat came, a session was touched, a response arrived",
    r"believ\w*|beliefs?|distrust\w*": "a view, known, accepted, taken for, stale, marked stale",
    r"rooms": "packages",
    r"(?:this|pure|own|log|each|every|broker's) room": "package",
    r"farewell": "EndQuorumEpoch",
    r"reigns?": "leader epoch",
    r"chores?": "periodic task",
    r"askers?": "caller, client, follower; pending replies",
    r"shel(?:f|ves)": "log dir scan",
    r"stretches": "state batches, or ranges of offsets",
    r"doors?": "listener",
    r"gossip|whispers?|voices?": "requests and responses",
    r"confess\w*": "unexpected_error",
    r"halting": "log_dir_failure",
    r"bells?": "what is woken: a promise, a timer",
    r"newcomers?": "those that were added; a client that was not there before",
    r"in earnest": "in production",
    r"hang_up|hangs? up|hung up": "end, abort: what becomes of the connection",
}
"""Words that have been replaced, and by what: Kafka's nouns and plain verbs."""
ANY_REPLACED = re.compile(rf"(?<![a-z])(?:{'|'.join(REPLACED)})(?![a-z])")
PROSE = (
    "src/",
    "bench/",
    "devtools/",
    "tests/broker/",
    "tests/interop/",
    "tests/programs/",
    "tests/spark/",
    "docs/",
    "examples/",
    "tests/bench/",
    "tests/client/",
    "tests/cluster/",
    "tests/config/",
    "tests/crash/",
    "tests/damage/",
    "tests/devtools/",
    "tests/docs/",
    "tests/examples/",
    "tests/floods/",
    "tests/judges/",
    "tests/network/",
    "tests/platform/",
    "tests/protocol/",
    "tests/schemas/",
    "tests/simulation/",
    "tests/testing/",
    "tests/vectors/",
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "STYLE.md",
)
QUOTED = ("tests/protocol/records/compression/test_xxhash32.py",)
"""They have sentences of others."""
BANNED_LINES = {
    "a note to oneself": re.compile(r"\b(TODO|FIXME|XXX|HACK)\b"),
    "a hole in the coverage": re.compile(r"pragma: no cover"),
    "an ignored type without its code": re.compile(r"#\s*type:\s*ignore(?!\[)"),
    "an ignored rule without its code": re.compile(r"#\s*noqa(?!:)"),
    "a registry's host": re.compile(
        r"pypi\.org|pythonhosted\.org|repo1?\.maven|maven\.apache\.org/maven2|npmjs\.org"
        r"|(?<![\w.-])crates\.io|golang\.org|debian\.org"
    ),
    "a path of one machine": re.compile(r"(?<![\w.~/-])/(work|root|home|Users)/[a-z]"),
}
MAY_SAY = ("tests/tidy/", "STYLE.md", "LICENSE")
"""Those that state the rules have to name what they forbid."""
EVERYTHING = {"Exception", "BaseException", ""}
PREFIXES = {"system": "System", "simulated": "Simulated"}
"""How whatever is made for a port is named, by its package."""
PRINTERS = ("src/moldau/programs/tools/",)


def banned_lines(path: str, text: str) -> Iterator[str]:
    if path.startswith(MAY_SAY):
        return
    for reason, pattern in BANNED_LINES.items():
        if not pattern.search(text):
            continue
        for number, line in enumerate(text.splitlines(), start=1):
            if pattern.search(line):
                yield f"{path}:{number} has {reason}"


def replaced_words(path: str, text: str) -> Iterator[str]:
    """Words of REPLACED, also as parts of a name: `room_told` has `told`."""
    if not path.startswith(PROSE) or path in QUOTED or not ANY_REPLACED.search(text.lower()):
        return
    for number, line in enumerate(text.splitlines(), start=1):
        for words, instead in REPLACED.items():
            if found := re.search(rf"(?<![a-z])(?:{words})(?![a-z])", line, re.IGNORECASE):
                yield f"{path}:{number} has '{found[0]}'; write: {instead}"


def nets(source: Source) -> Iterator[str]:
    """Handlers that catch everything; one that tidies up and raises again is none."""
    for node in source.nodes:
        if isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else ""
            last = node.body[-1]
            if caught in EVERYTHING and not (isinstance(last, ast.Raise) and last.exc is None):
                yield f"{source.path}:{node.lineno} catches everything"


def bags(source: Source) -> Iterator[str]:
    """Files, classes, functions and variables that are named as a bag."""
    stem = source.path.rpartition("/")[2].removesuffix(".py")
    if BAGS.search(stem):
        yield source.path
    for node in source.nodes:
        name = getattr(node, "name", None) or (node.id if isinstance(node, ast.Name) else "")
        if name and BAGS.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()):
            yield f"{source.path}:{node.lineno} {name}"  # type: ignore[attr-defined]


def prints(source: Source) -> Iterator[str]:
    for node in source.nodes:
        match node:
            case ast.Call(func=ast.Name(id="print")):
                yield f"{source.path}:{node.lineno} prints"
            case _:
                pass


def ports() -> tuple[str, ...]:
    """The names of what the world comes in through."""
    trees = (source.tree for source in python_sources("src/moldau/platform/ports"))
    classes = (node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))
    return tuple(node.name for node in classes if "Protocol" in ast.unparse(node))


def strangers(sources: Sequence[Source]) -> Iterator[str]:
    """Classes for a port in a package where none is named by the package and the port."""
    named = [(source, node) for source in sources for node in source.tree.body]
    classes = {node.name: source for source, node in named if isinstance(node, ast.ClassDef)}
    for name, source in classes.items():
        found = [port for port in ports() if name.endswith(port)]
        if found and PREFIXES[source.package] + max(found, key=len) not in classes:
            yield f"{source.path} {name}"


def test_no_line_has_what_is_banned():
    files = [path for path in project_files() if path.suffix in TEXT or path.suffix == ""]
    named = [(path.relative_to(ROOT).as_posix(), path.read_text()) for path in files]
    assert_none(complaint for path, text in named for complaint in banned_lines(path, text))


def test_replaced_words_do_not_come_back():
    files = [path for path in project_files() if path.suffix in (".py", ".md")]
    named = [(path.relative_to(ROOT).as_posix(), path.read_text()) for path in files]
    assert_none(complaint for path, text in named for complaint in replaced_words(path, text))


def test_nothing_catches_everything():
    assert_none(complaint for source in python_sources("src") for complaint in nets(source))


def test_nothing_is_named_as_a_bag():
    assert_none(complaint for source in python_sources() for complaint in bags(source))


def test_what_is_made_for_a_port_is_named_by_package_and_port():
    for package in PREFIXES:
        assert_none(strangers(python_sources(f"src/moldau/platform/{package}")))
    assert {"Files", "Link", "Promise", "Tasks"} <= set(ports())


def test_only_tools_print():
    quiet = [source for source in python_sources("src") if not source.path.startswith(PRINTERS)]
    assert_none(complaint for source in quiet for complaint in prints(source))


@pytest.mark.parametrize(
    "line",
    [
        "x = 1  # TODO later",
        "x = 1  # pragma: no cover",
        "x = y  # type: ignore",
        "x = y  # noqa",
        "see https://pypi.org/project/x",
        'PATH = "/home/someone/x"',
    ],
)
def test_a_banned_line_is_noticed(line):
    assert len(list(banned_lines("src/moldau/x.py", line))) == 1


@pytest.mark.parametrize(
    "line", ["x = y  # type: ignore[arg-type]", "import z  # noqa: F401", '"/home/%d"']
)
def test_a_reasoned_line_is_not_banned(line):
    assert list(banned_lines("src/moldau/x.py", line)) == []


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ('"""Nobody asks."""', "Nobody"),
        ("is_told = True", "told"),
        ("class Shelf:", "Shelf"),
        ("the pure rooms", "rooms"),
    ],
)
def test_a_replaced_word_is_noticed_with_what_to_write(line, word):
    (complaint,) = replaced_words("src/moldau/x.py", line)
    assert complaint.startswith(f"src/moldau/x.py:1 has '{word}'; write: ")


@pytest.mark.parametrize("place", PROSE)
def test_a_replaced_word_is_noticed_in_every_place(place):
    path = place if place.endswith(".md") else f"{place}x.py"
    assert len(list(replaced_words(path, "all_told = 1"))) == 1


def test_every_place_has_files():
    paths = [path.relative_to(ROOT).as_posix() for path in project_files()]
    assert [place for place in PROSE if not any(map(str.startswith, paths, repeat(place)))] == []


@pytest.mark.parametrize("path", QUOTED)
def test_a_quotation_is_let_pass(path):
    assert list(replaced_words(path, "Nobody expects")) == []


@pytest.mark.parametrize(
    "line", ["there is no room for it", "the header", "a threshold", "mold_er", "a history"]
)
def test_a_word_that_only_contains_one_is_fine(line):
    assert list(replaced_words("src/moldau/x.py", line)) == []


@pytest.mark.parametrize("text", ["class FileHelper: ...", "def parse_utils(): ...", "misc = 1"])
def test_a_bag_is_noticed(text):
    assert len(list(bags(Source("src/moldau/x.py", text)))) == 1


def test_a_stranger_among_its_family_is_noticed():
    sample = Source(
        "src/moldau/platform/system/x.py", "class OsFiles: ...\nclass SystemLink: ...\n"
    )
    assert list(strangers([sample])) == ["src/moldau/platform/system/x.py OsFiles"]


def test_a_print_is_noticed():
    assert list(prints(Source("x.py", "print('hello')\n"))) == ["x.py:1 prints"]


@pytest.mark.parametrize("caught", ["", " Exception", " BaseException"])
def test_a_net_is_noticed_unless_it_raises_again(caught):
    text = f"try:\n    f()\nexcept{caught}:\n    g()\n"
    assert list(nets(Source("x.py", text))) == ["x.py:3 catches everything"]
    assert list(nets(Source("x.py", text + "    raise\n"))) == []
