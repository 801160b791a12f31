"""The blocking face is the asynchronous one without its awaits."""

from __future__ import annotations

import inspect
import re
from types import ModuleType

import pytest

from moldau.client.aio.admin import cluster, configs, groups, topics
from moldau.client.aio.admin.client import AsyncAdmin
from moldau.client.sync.admin import cluster as sync_cluster
from moldau.client.sync.admin import configs as sync_configs
from moldau.client.sync.admin import groups as sync_groups
from moldau.client.sync.admin import topics as sync_topics
from moldau.client.sync.admin.client import Admin

TWINS = [
    (topics, sync_topics),
    (configs, sync_configs),
    (groups, sync_groups),
    (cluster, sync_cluster),
]


def subject_of(module: ModuleType) -> type:
    (name,) = module.__all__
    subject: type = getattr(module, name)
    return subject


def plain(text: str) -> str:
    """Without what makes it asynchronous, and without its layout."""
    text = re.sub(r"\basync |\bawait |\bAsync(?=[A-Z])", "", text).replace(".aio.", ".sync.")
    return re.sub(r"[\s(),]", "", text)


@pytest.mark.parametrize("twins", TWINS, ids=lambda twins: twins[0].__name__)
def test_each_subject_is_its_twin(twins):
    ours, theirs = (inspect.getsource(subject_of(module)) for module in twins)
    assert plain(ours) == plain(theirs)


def test_both_have_the_same_calls_and_each_says_what_it_does():
    def calls(kind: type) -> set[str]:
        return {name for name, _ in inspect.getmembers(kind, inspect.isfunction) if name[0] != "_"}

    assert calls(AsyncAdmin) - {"start", "begin_in"} == calls(Admin)
    assert [name for name in calls(Admin) if not getattr(Admin, name).__doc__] == []
