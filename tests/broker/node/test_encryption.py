"""Where a node's keys come from, and what is refused before it starts."""

from __future__ import annotations

import pytest

from moldau.broker.log.encryption.keyring import Keyring
from moldau.broker.node.encryption import make_encryption
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.errors import FileMissingError
from moldau.platform.simulated.files import SimulatedFiles
from moldau.protocol.records.batch import read_header
from tests.broker.log.batches import batch
from tests.broker.node.simulated_node import world_of

FILE = "moldau.encryption.at.rest.key.file"
CLASS = "moldau.encryption.at.rest.key.manager.class"


class OwnManager:
    """A key manager as a company would write one."""

    def __init__(self, settings: dict[str, str]) -> None:
        self.region = settings["company.region"]

    def current(self, name: str) -> str:
        return f"{self.region}/{name}"

    def wrap(self, key_id: str, data_key: bytes, context: bytes) -> bytes:
        return data_key[::-1]

    def unwrap(self, key_id: str, wrapped: bytes, context: bytes) -> bytes:
        return wrapped[::-1]


def made(**given: str):
    settings = {name.replace("__", "."): value for name, value in given.items()}
    return make_encryption(
        BrokerSettings({"company.region": "eu", **settings}), world_of(SimulatedFiles()).for_logs
    )


def settings_of(name: str, value: str) -> dict[str, str]:
    return {name.replace(".", "__"): value}


def test_a_class_of_ones_own_is_given_the_settings():
    ring = made(**settings_of(CLASS, f"{__name__}:OwnManager"))
    assert isinstance(ring, Keyring)
    plain = bytes(batch())
    stored = ring.encrypt("t-0", "orders", plain, read_header(plain))
    assert b"eu/orders" in stored
    assert ring.decrypt("t-0", stored) == plain


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("no.such.module:Class", "cannot be imported"),
        (f"{__name__}:Missing", "cannot be imported"),
        (__name__, "write package.module:Class"),
        ("builtins:dict", "has the methods current, wrap, unwrap"),
    ],
)
def test_what_is_no_key_manager_is_refused(name, says):
    with pytest.raises(SettingError, match=says):
        made(**settings_of(CLASS, name))


def test_keys_come_from_one_place_and_the_file_is_there():
    with pytest.raises(SettingError, match="keys come from one of them"):
        made(**settings_of(CLASS, "a:b"), **settings_of(FILE, "keys"))
    with pytest.raises(FileMissingError):
        made(**settings_of(FILE, "keys"))
