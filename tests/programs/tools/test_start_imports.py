"""A command imports what its first output needs, and no more.

Most of the time until then goes into imports. `bench/tools.py` measures it; this holds it, without
a clock: commands of clusters ask an address where nothing listens, which takes all that a call does
up to its first answer.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

RUN = """
import atexit, sys
from moldau.programs.tools.main import main
atexit.register(lambda: print(*sys.modules, file=sys.__stderr__))
sys.argv = ["moldau", *sys.argv[1:]]
main()
"""
CLOSED = "127.0.0.1:1"
SOON = "default.api.timeout.ms=200\n"
LIMITS = {
    "--version": 38,
    "topics --help": 46,
    "topics --bootstrap-server {closed} --command-config {soon} --list": 152,
    "groups --bootstrap-server {closed} --command-config {soon} --list": 152,
    "cat -b {closed} -X default.api.timeout.ms=200 -m 0.2 -L": 160,
}
"""Modules of ours by call; a few more than there are today."""
LATER = (
    "moldau.broker",
    "moldau.client.core.consuming",
    "moldau.client.sync.producer",
    "moldau.client.sync.consumer",
    "moldau.client.schemas",
    "moldau.programs.console",
    "cryptography",
    "difflib",
    "pyarrow",
)
"""What none of these calls needs."""
COSTLY = {"socket", "random", "selectors", "base64", "copy", "asyncio"}
"""Of Python itself, which tools of Kafka's do without."""


@pytest.mark.parametrize("call", LIMITS)
def test_a_call_imports_a_bounded_number_of_modules(call, tmp_path):
    (tmp_path / "soon").write_text(SOON)
    words = call.format(closed=CLOSED, soon=tmp_path / "soon").split()
    done = subprocess.run([sys.executable, "-c", RUN, *words], capture_output=True, text=True)
    names = done.stderr.splitlines()[-1].split()
    assert sum(name.startswith("moldau.") for name in names) <= LIMITS[call]
    early = [one for one in names for late in LATER if one == late or one.startswith(f"{late}.")]
    assert early == []
    assert words[0] == "cat" or COSTLY.isdisjoint(names)
