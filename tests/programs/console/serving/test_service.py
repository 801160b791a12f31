"""The console as a service; how it is started is in tests/programs/tools/test_console.py."""

import pytest

from moldau.config.refusals import SettingError
from moldau.programs.console.reach import ConsoleSettings
from moldau.programs.console.serving.served import ShownCluster
from moldau.programs.console.serving.service import ConsoleService
from moldau.programs.console.values.masking import Masks


def test_logins_need_a_cluster_that_asks_for_them():
    settings = ConsoleSettings(servers="a:1", masks=Masks())
    clusters = [ShownCluster({}, settings)]
    with pytest.raises(SettingError, match=r"security\.protocol"):
        ConsoleService(clusters, None, None, None, with_logins=True)  # type: ignore[arg-type]
