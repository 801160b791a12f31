"""What the library says to people who never typed a command does not speak of its flags."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.tidy.source import Source, assert_none, python_sources

FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
COMMANDS = (
    "src/moldau/programs/tools/",
    "src/moldau/programs/console/changes/",
    "src/moldau/spark/",
)
"""The console shows what would be typed; Spark's own flags are what its sessions are told by."""
MAY_SPEAK = {
    "src/moldau/broker/node/format_plan.py": "kafka-storage's own sentences, of `moldau format`",
    "src/moldau/broker/node/formatting.py": "the same",
    "src/moldau/testing/cluster.py": "types `moldau start`",
    "src/moldau/programs/pipelines/settings.py": "reads the `--set` of `moldau pipeline`",
}


def flags(source: Source) -> Iterator[str]:
    """Texts with a flag in them; what stands alone is a docstring."""
    alone = {id(node.value) for node in source.nodes if isinstance(node, ast.Expr)}
    for text in (node for node in source.nodes if isinstance(node, ast.Constant)):
        if isinstance(text.value, str) and id(text) not in alone and FLAG.search(text.value):
            yield f"{source.path}:{text.lineno} speaks of a flag: {text.value!r}"


def test_no_message_of_the_library_speaks_of_a_flag():
    library = [one for one in python_sources("src") if not one.path.startswith(COMMANDS)]
    assert_none(
        complaint for one in library if one.path not in MAY_SPEAK for complaint in flags(one)
    )


def test_who_may_speak_of_flags_does():
    speaking = {one.path for one in python_sources("src") if any(flags(one))}
    assert set(MAY_SPEAK) <= speaking


def test_a_flag_in_a_message_is_noticed():
    sample = Source("src/moldau/x.py", '"""About --set."""\nraise E(f"pass --set {name}=1")\n')
    assert list(flags(sample)) == ["src/moldau/x.py:2 speaks of a flag: 'pass --set '"]
