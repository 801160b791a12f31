"""Why storage was not formatted."""

from __future__ import annotations

from moldau.config.refusals import SettingError


class FormatError(SettingError):
    """Nothing was written: what was asked for makes no cluster."""
