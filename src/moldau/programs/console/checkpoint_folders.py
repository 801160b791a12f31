"""Folders of pipelines' checkpoints, and reading what they say."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from moldau.errors import MissingExtraError
from moldau.platform.ports.files import Files

if TYPE_CHECKING:
    from moldau.programs.pipelines.state import PipelineState

__all__ = ["CheckpointFolders"]

STATE: Final = "moldau.programs.pipelines.state"
"""Imported with the first look: it needs the extra `spark`."""


class CheckpointFolders:
    """Those that `--pipeline` names. A lake in an object store is reached by the environment."""

    def __init__(self, paths: Sequence[str], files: Files) -> None:
        self.paths = tuple(paths)
        self._files = files

    def read(self, path: str) -> PipelineState:
        """It blocks: call it beside the loop."""
        try:
            read_state = import_module(STATE).read_state
        except ModuleNotFoundError as missing:
            raise MissingExtraError(
                f"pipelines are shown with the package {missing.name}: in a checkout of Moldau, "
                "pip install '.[spark]'"
            ) from missing
        state: PipelineState = read_state(path, self._files, {})
        return state
