"""Where a node's keys for encryption at rest come from: a file, or a key manager of one's own.

A key manager is a class, named `package.module:Class` as Python's entry points are. It is made with
the node's settings, as they were given, and does what `broker.log.encryption.keyring.KeyManager`
says. Imported only where a node was given one or the other.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from moldau.broker.log.encryption.key_file import KeyFile
from moldau.broker.log.encryption.keyring import KeyManager, Keyring
from moldau.broker.log.encryption_port import Encryption
from moldau.broker.log.world import World
from moldau.config.broker.settings import BrokerSettings
from moldau.config.own import OwnSettings
from moldau.config.refusals import SettingError

__all__ = ["make_encryption"]

CLASS_SETTING = OwnSettings.moldau_encryption_at_rest_key_manager_class.name
METHODS = ("current", "wrap", "unwrap")


def make_encryption(settings: BrokerSettings, world: World) -> Encryption:
    """With the keys of the settings, or why they cannot be had."""
    return Keyring(_manager(settings, world), world.clock, world.random)


def _manager(settings: BrokerSettings, world: World) -> KeyManager:
    own = settings.own
    path, name = (
        own.moldau_encryption_at_rest_key_file,
        own.moldau_encryption_at_rest_key_manager_class,
    )
    if path and name:
        raise SettingError(
            f"moldau.encryption.at.rest.key.file and {CLASS_SETTING} are both given; keys come "
            f"from one of them"
        )
    if name:
        made: KeyManager = _class(name)(dict(settings.all_given))
        return made
    assert path, "it is made where there is one of the two"
    return KeyFile(world.files, path, world.random)


def _class(name: str) -> Any:  # noqa: ANN401  # whatever stands there
    module, colon, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute) if colon else None
    except (ImportError, AttributeError) as error:
        raise SettingError(f"{CLASS_SETTING} = {name} cannot be imported: {error}") from error
    if found is None or not all(callable(getattr(found, method, None)) for method in METHODS):
        raise SettingError(
            f"{CLASS_SETTING} = {name} is no key manager: write package.module:Class, and the "
            f"class has the methods {', '.join(METHODS)}"
        )
    return found
