"""Passwords of SCRAM that come and go are lines of the log, in the words of Kafka's controller.

Programs that start a node wait for such a line before they log in.
"""

from __future__ import annotations

import logging

from moldau.broker.metadata.delta import Delta
from moldau.network.sasl.scram_keys import ScramMechanism

__all__ = ["LINES_MAX", "log_credential_changes"]

log = logging.getLogger(__name__)

LINES_MAX = 100
"""Of one change, such as a snapshot with all users: what is more is counted."""
MECHANISMS = {mechanism.number: f"SCRAM_{mechanism.name}" for mechanism in ScramMechanism}


def log_credential_changes(delta: Delta) -> None:
    """What this change of the metadata creates, replaces and removes, by user."""
    if not log.isEnabledFor(logging.INFO):
        return
    before, changed = delta.image.scram.by_user, sorted(delta.scram.changed.items())
    for (number, user), credential in changed[:LINES_MAX]:
        mechanism = MECHANISMS.get(number, str(number))
        if credential is None:
            line = "Replayed RemoveUserScramCredentialRecord for %s with mechanism %s."
        elif (number, user) in before:
            line = (
                "Replayed UserScramCredentialRecord modifying existing entry for %s with "
                "mechanism %s."
            )
        else:
            line = "Replayed UserScramCredentialRecord creating new entry for %s with mechanism %s."
        log.info(line, user, mechanism)
    if len(changed) > LINES_MAX:
        log.info("Replayed %d more records of SCRAM credentials.", len(changed) - LINES_MAX)
