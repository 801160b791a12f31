"""Setting the level of a logger at one broker, until that is started anew."""

from __future__ import annotations

from typing import Final

from moldau.client.admin import ConfigChange
from moldau.programs.console.changes.change import Change, Difference, Given, Kind, NothingToDoError
from moldau.programs.console.changes.commands import command_line
from moldau.programs.console.cluster.loggers import levels_of, loggers_of_broker
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.bodies import field_of, maybe_field
from moldau.programs.rest.refusals import bad_request

__all__ = ["LOG_LEVEL_KINDS"]

LEVELS: Final = ("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL")
ROOT: Final = "root"
"""The one whose level brokers do not give up."""
PARENTS: Final = "its parent's level"
UNTIL_RESTART: Final = "It holds until the broker is started anew, and is kept in no file."


async def _set(reach: Reach, given: Given) -> Change:
    """No level gives up the logger's own."""
    broker, logger = field_of(given, "broker", int), field_of(given, "logger", str)
    level = maybe_field(given, "level", str)
    if level is not None and level not in LEVELS:
        raise bad_request(f"level is one of {', '.join(LEVELS)}")
    if level is None and logger == ROOT:
        raise bad_request(f"the logger root has no parent; choose one of {', '.join(LEVELS)}")
    before = (await levels_of(reach, broker)).get(logger)
    if before is None:
        raise HttpError(404, f"Broker {broker} has no logger {logger}: its page has their names")
    if before == level:
        raise NothingToDoError(f"{logger} of broker {broker} has the level {level} already")
    change = ConfigChange.delete() if level is None else ConfigChange.set(level)
    call = {loggers_of_broker(broker): {logger: change}}
    (await reach.admin.incremental_alter_configs(call, validate_only=True)).all()

    async def run() -> None:
        (await reach.admin.incremental_alter_configs(call)).all()

    words = ["--alter", "--entity-type", "broker-loggers", "--entity-name", broker]
    words += ["--delete-config", logger] if level is None else ["--add-config", f"{logger}={level}"]
    return Change(
        command_line(reach.settings, "configs", *words),
        [Difference(f"{logger} of broker {broker}", before, level or PARENTS)],
        run,
        warning=UNTIL_RESTART,
        undo=("set-log-level", {"broker": broker, "logger": logger, "level": before}),
    )


LOG_LEVEL_KINDS: Final = (
    Kind(
        "set-log-level",
        "Set the level of a logger at one broker",
        {"broker": "integer", "logger": "string", "level": "string?"},
        _set,
    ),
)
