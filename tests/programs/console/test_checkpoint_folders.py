"""Folders of checkpoints that a console is started with."""

import pytest

from moldau.errors import MoldauError
from moldau.platform.system.files import SystemFiles
from moldau.programs.console.checkpoint_folders import CheckpointFolders
from tests.programs.pipelines.test_state import checkpoint_of


def test_each_is_read_as_it_is_now(tmp_path):
    path = checkpoint_of(tmp_path, 1)
    folders = CheckpointFolders([path], SystemFiles())
    assert folders.paths == (path,)
    assert folders.read(path).reconciled.read == 10


def test_what_is_none_is_a_sentence(tmp_path):
    with pytest.raises(MoldauError, match="no pipeline's checkpoint"):
        CheckpointFolders([], SystemFiles()).read(str(tmp_path))
