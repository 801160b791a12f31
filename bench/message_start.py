"""What a starting node pays for its messages before the first is read.

CPU milliseconds in a fresh process, median of the rounds: importing the classes of forty messages
that a combined node uses from the start (with the wire room, and with Python's own modules that it
needs), then compiling for each, in its newest version, the function that the node needs first:
requests are decoded and responses encoded. A node may start within 300 ms in all.

    python -m bench.message_start [--rounds 9]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time

APIS = (
    "Produce", "Fetch", "ListOffsets", "Metadata", "OffsetCommit", "OffsetFetch",
    "FindCoordinator", "JoinGroup", "Heartbeat", "SyncGroup", "ApiVersions", "CreateTopics",
    "InitProducerId", "Vote", "BeginQuorumEpoch", "BrokerRegistration", "BrokerHeartbeat",
    "ControllerRegistration", "AlterPartition", "DescribeCluster",
)  # fmt: skip


def start() -> tuple[float, float]:
    """Milliseconds of importing and of compiling, in this process."""
    started = time.process_time()
    from moldau.protocol.messages.index import message_named
    from moldau.protocol.wire.compile import decoder_for, encoder_for

    requests = [message_named(f"{api}Request") for api in APIS]
    responses = [message_named(f"{api}Response") for api in APIS]
    imported = time.process_time()
    for request in requests:
        decoder_for(request, max(request.VERSIONS))
    for response in responses:
        encoder_for(response, max(response.VERSIONS))
    return (imported - started) * 1e3, (time.process_time() - imported) * 1e3


def start_afresh() -> tuple[float, float]:
    command = [sys.executable, "-m", "bench.message_start", "--once"]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    importing, compiling = json.loads(run.stdout)
    return importing, compiling


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        print(json.dumps(start()))
        return
    print("milliseconds      median  spread")
    rounds = [start_afresh() for _ in range(options.rounds)]
    for label, times in zip(("importing", "compiling"), zip(*rounds, strict=True), strict=True):
        low, median, high = statistics.quantiles(times, n=4)
        print(f"{label:16} {median:7.1f} {(high - low) / 2:7.1f}")


if __name__ == "__main__":
    main()
