"""What can go wrong between Spark and a topic; and what to show people of an error of Spark's.

Spark hands errors of Python sources on as text, a traceback of its own workers around them.
"""

from __future__ import annotations

import re

from moldau.errors import MoldauError

OURS = re.compile(r"^moldau\.[\w.]*(?:Error|Failed): (.+)$", re.MULTILINE)
"""The last line of a traceback that ends in an error of ours."""
PY4J = "An error occurred while calling"
JAVA = re.compile(r"^(?:Caused by)?: [\w.$]+(?:Exception|Error): (.+)$", re.MULTILINE)
"""The head of an exception in a trace of Java, as py4j hands it over, and those that caused it."""


class OptionError(MoldauError):
    """An option of a format is missing, unknown, or contradicts another."""


class DataLossError(MoldauError):
    """Records that the query should still have read are gone."""


class SparkSetupError(MoldauError):
    """Spark cannot start here; the sentence names what is missing."""


def sentence_of(error: BaseException) -> str:
    """The message of one of our formats, without what Spark has put around it."""
    if isinstance(error, MoldauError):
        return str(error)
    text = str(error)
    if messages := OURS.findall(text):
        return str(messages[-1]).strip()
    if text.startswith(PY4J) and (causes := JAVA.findall(text)):
        return str(causes[-1]).strip()
    return text.partition("\n")[0]
