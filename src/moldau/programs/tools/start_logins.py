"""The file of logins that KAFKA_OPTS names, as Kafka's own scripts hand it to the JVM.

KAFKA_OPTS=-Djava.security.auth.login.config=/etc/kafka/kafka_server_jaas.conf
"""

from __future__ import annotations

import shlex

from moldau.broker.server.login.login_file import settings_of_logins
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.errors import FileMissingError
from moldau.network.sasl.jaas import TEXT_MAX, JaasError, parse_jaas_file
from moldau.platform.ports.files import Files, read_whole

__all__ = ["PROPERTY", "with_logins"]

PROPERTY = "java.security.auth.login.config"
VARIABLE = "KAFKA_OPTS"


def with_logins(settings: BrokerSettings, java_options: str, files: Files) -> BrokerSettings:
    """These settings, with the logins of the file that the options name, if they name one."""
    path = _path_of(java_options)
    if path is None:
        return settings
    status = files.status(path)
    if status is None or status.is_directory:
        raise FileMissingError(path, f"{VARIABLE} has it as {PROPERTY}, and there is no such file")
    if status.size > TEXT_MAX:
        raise SettingError(f"{path} has {status.size} bytes, too many for a file of logins")
    try:
        logins = parse_jaas_file(read_whole(files, path).decode())
    except UnicodeDecodeError as error:
        raise SettingError(f"{path}: byte {error.start + 1} is not UTF-8") from None
    except JaasError as error:
        raise SettingError(f"{path}: {error}") from None
    return settings.changed({**settings_of_logins(settings, logins)})


def _path_of(java_options: str) -> str | None:
    """The last one that is given; Java takes a second sign of equality, and a URL of a file."""
    try:
        words = shlex.split(java_options)
    except ValueError as error:
        raise SettingError(f"{VARIABLE} cannot be split into words: {error}") from None
    prefix = f"-D{PROPERTY}="
    given = [word.removeprefix(prefix) for word in words if word.startswith(prefix)]
    return given[-1].removeprefix("=").removeprefix("file:") if given else None
