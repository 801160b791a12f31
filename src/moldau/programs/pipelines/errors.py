"""What can go wrong with a pipeline, each with the cause and the remedy in one sentence."""

from __future__ import annotations

from moldau.errors import MoldauError


class PipelineError(MoldauError):
    """The pipeline cannot be run as it is asked for, or had to stop."""


class StoppedError(PipelineError):
    """The run was asked to stop, and its queries have."""


class BatchStoppedError(PipelineError):
    """The query of a batch was stopped, and what Spark did for the batch with it."""


class SettingError(PipelineError):
    """A setting of a pipeline is unknown, or has a value that it cannot have."""
