"""What an honest client sees: it writes a record and reads it back, again and again.

    python -m tests.floods.honest_client PORT TOPIC SECONDS

In a process of its own, so that nothing else of the test takes its time. Prints how long each of
its requests took, in milliseconds, as JSON.
"""

from __future__ import annotations

import json
import sys
import time

from tests.floods.attacked_node import fetch, produce
from tests.interop.differential.side import Side

PAUSE_S = 0.002


def main() -> None:
    port, topic, seconds = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    side = Side("the node", port)
    took_ms: list[float] = []
    offset = produce(side, topic, [b"first"])
    fetch(side, topic, offset)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter()
        offset = produce(side, topic, [b"honest"])
        written = time.perf_counter()
        assert fetch(side, topic, offset) == [b"honest"]
        took_ms += [(written - began) * 1000, (time.perf_counter() - written) * 1000]
        time.sleep(PAUSE_S)
    print(json.dumps(took_ms))


if __name__ == "__main__":
    main()
