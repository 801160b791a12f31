"""What can go wrong between Spark and a topic; and what to show people of an error of Spark's.

Spark hands errors of Python sources on as text, a traceback of its own workers around them.
"""

from __future__ import annotations

import re

from moldau.errors import MoldauError

OURS = re.compile(r"^moldau\.[\w.]*(?:Error|Failed): (.+)$", re.MULTILINE)
"""The last line of a traceback that ends in an error of ours."""


class OptionError(MoldauError):
    """An option of a format is missing, unknown, or contradicts another."""


class DataLossError(MoldauError):
    """Records that the query should still have read are gone."""


class SparkSetupError(MoldauError):
    """Spark cannot start here; the sentence says what is missing."""


def sentence_of(error: BaseException) -> str:
    """What one of our formats said, without what Spark has put around it."""
    if isinstance(error, MoldauError):
        return str(error)
    said = OURS.findall(str(error))
    return said[-1].strip() if said else str(error).partition("\n")[0]
