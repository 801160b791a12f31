"""Whether this process runs in a pod."""

from __future__ import annotations

import socket

from moldau.platform.system.pod import Pod, own_pod


def test_files_of_a_service_account_are_a_pod(tmp_path):
    (tmp_path / "namespace").write_text("streams\n")
    assert own_pod(str(tmp_path)) == Pod("streams", socket.gethostname())


def test_without_them_there_is_none(tmp_path):
    assert own_pod(str(tmp_path)) is None
