"""Settings that Apache Kafka does not have; in a file that both read it ignores them."""

from __future__ import annotations

from moldau.config.key import flag
from moldau.config.settings import Settings


class OwnSettings(Settings):
    """Of a node; their names begin with `moldau.`."""

    moldau_refuse_loss = flag(
        False,
        "Whether a start stops, before anything on the disk is changed, where a log has lost "
        "records: by damage, or because files of it are gone.",
    )
