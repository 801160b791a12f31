"""Programs that go on without a terminal."""

import sys
import time
from pathlib import Path

from moldau.platform.system.daemons import own_processes, start_detached, terminate

SECONDS_MAX = 60
PROGRAM = "import time; print('begun', flush=True); time.sleep(600)"


def wait_until(is_so):
    deadline = time.monotonic() + SECONDS_MAX
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_program_is_started_found_and_ended(tmp_path):
    log = tmp_path / "logs" / "out"
    process_id = start_detached([sys.executable, "-c", PROGRAM, str(tmp_path)], str(log))
    wait_until(lambda: log.exists() and log.read_text() == "begun\n")
    found = {one: (folder, words) for one, folder, words in own_processes()}
    folder, words = found[process_id]
    assert (folder, words[-1]) == (str(Path.cwd()), str(tmp_path))
    terminate(process_id)
    wait_until(lambda: all(words[-1:] != [str(tmp_path)] for _, _, words in own_processes()))
    terminate(process_id)
