"""`moldau server-start FILE`: what `kafka-server-start.sh` does, by the same words."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from moldau.errors import FileMissingError
from moldau.platform.system.daemons import start_detached
from moldau.platform.system.process import environment
from moldau.programs.tools import start
from moldau.programs.tools.command import World

LOG_FOLDER = "logs"
LOG_NAME = "kafkaServer.out"


def declare(parser: ArgumentParser) -> None:
    parser.add_argument(
        "-daemon",
        "--daemon",
        dest="daemon",
        action="store_true",
        help=f"go on without a terminal, with the log in {LOG_NAME} of the folder that LOG_DIR "
        f"names ({LOG_FOLDER} without)",
    )
    parser.add_argument("config", metavar="FILE", help="the node's server.properties")
    parser.add_argument(
        "--override",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting that wins over the file; may be repeated",
    )


def run(options: Namespace, world: World) -> int:
    if world.files.status(options.config) is None:
        raise FileMissingError(options.config, "there is no such file of properties")
    if options.daemon:
        overrides = [word for text in options.override for word in ("--override", text)]
        folder = environment().get("LOG_DIR", LOG_FOLDER)
        command = [sys.executable, "-m", "moldau", "server-start", options.config, *overrides]
        start_detached(command, f"{folder}/{LOG_NAME}")
        return 0
    parser = ArgumentParser()
    start.declare(parser)
    assigned = [word for text in options.override for word in ("--set", text)]
    return start.run(parser.parse_args(["--config", options.config, *assigned]), world)
