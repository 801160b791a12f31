"""Programs that this one starts, and how they end."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest

from moldau.platform.system.children import Child, ending

SPEAKS = "import sys; print('one'); print('two', file=sys.stderr); sys.exit(3)"
WAITS = "import time; print('here', flush=True); time.sleep(60)"


def followed(program, *, once=lambda child: None):
    """The exit code, and what was written to each stream; `once` is called at the first line."""
    output: list[str] = []
    errors: list[str] = []

    async def main():
        child = await Child.start([sys.executable, "-c", program])

        def take(line):
            output.append(line)
            once(child)

        return await child.follow(take, errors.append)

    return asyncio.run(main()), output, errors


def test_lines_come_from_both_streams_and_then_the_exit_code():
    assert followed(SPEAKS) == (3, ["one"], ["two"])


@pytest.mark.parametrize(
    ("end", "code", "text"),
    [(Child.terminate, -15, "killed by SIGTERM"), (Child.kill, -9, "killed by SIGKILL")],
)
def test_a_child_is_ended_by_a_signal(end, code, text):
    exit_code, output, _ = followed(WAITS, once=end)
    assert (exit_code, output) == (code, ["here"])
    assert ending(exit_code) == text


def test_a_child_reads_the_lines_that_it_is_given_as_they_come():
    program = (
        "import asyncio, sys; from moldau.platform.system.input_lines import on_input_line\n"
        "async def main():\n"
        "    print('here', flush=True)\n"
        "    done = asyncio.Event()\n"
        "    def take(line):\n"
        "        print(line.upper(), flush=True)\n"
        "        line == 'end' and done.set()\n"
        "    on_input_line(take)\n"
        "    await done.wait()\n"
        "asyncio.run(main())"
    )

    async def main():
        lines = []
        child = await Child.start([sys.executable, "-c", program], reads_lines=True)

        def take(line):
            lines.append(line)
            {
                "here": lambda: child.write_line("one\ntwo"),
                "TWO": lambda: child.write_line("end"),
            }.get(line, str)()

        return await child.follow(take, print), lines

    assert asyncio.run(main()) == (0, ["here", "ONE", "TWO", "END"])


def test_what_has_ended_can_be_ended_again():
    async def main():
        child = await Child.start([sys.executable, "-c", ""])
        await child.follow(print, print)
        child.terminate()
        child.kill()

    asyncio.run(main())


def test_a_child_is_in_a_session_of_its_own_and_has_the_variables_given():
    async def main():
        lines: list[str] = []
        program = "import os; print(os.getsid(0) == os.getpid(), os.environ['COLOUR'])"
        child = await Child.start(
            [sys.executable, "-c", program], {**os.environ, "COLOUR": "green"}
        )
        await child.follow(lines.append, print)
        return lines

    assert asyncio.run(main()) == ["True green"]


def test_an_exit_code_is_named():
    assert ending(1) == "ended with exit code 1"
