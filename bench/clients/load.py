"""One client at one task, in a process of its own: MODULE FUNCTION SERVER TOPIC COUNT BYTES.

Prints what it has measured of itself as one JSON object. No other client is imported beside it.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module

from bench.clients.meter import Load, Meter


def main() -> None:
    module, function, server, topic, count, size = sys.argv[1:]
    meter = Meter()
    work = getattr(import_module(f"bench.clients.{module}"), function)
    work(Load(server, topic, int(count), int(size)), meter)
    print(json.dumps(meter.found))


if __name__ == "__main__":
    main()
