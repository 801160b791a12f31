"""`moldau dump-log`: files of a log directory as lines, with the flags of `kafka-dump-log`.

The lines are the same as those of Apache Kafka 4.3's tool, so that the outputs of the two can be
compared; `--json` prints an object a line instead. What is wrong with indexes and offsets is
printed at the end on standard error.

Records of a topic with `encryption.at.rest` are shown with the node's keys: those of
`--encryption-key-file`, or what `--config`, the node's own file of settings, names.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module

from moldau.broker.log.dump import decoders
from moldau.broker.log.dump.any_file import DumpOptions, dump_file
from moldau.broker.log.dump.decoders import (
    BYTES_DECODERS,
    CoordinatorDecoder,
    Decoder,
    MetadataDecoder,
    PlainDecoder,
)
from moldau.broker.log.dump.indexes import IndexOptions
from moldau.broker.log.dump.log_lines import MAX_BYTES, LogOptions
from moldau.broker.log.dump.opening import NoKeysError, Opening, PartitionUnknownError
from moldau.broker.log.dump.report import Report, Shown
from moldau.broker.log.encryption_port import Encryption
from moldau.broker.log.world import World as LogWorld
from moldau.broker.node.server_properties import read_properties
from moldau.config.broker.settings import BrokerSettings
from moldau.config.own import OwnSettings
from moldau.config.refusals import SettingError
from moldau.errors import FileMissingError, MoldauError
from moldau.platform.ports.files import Files
from moldau.platform.system.temporary import absolute_path
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.tool import KAFKA_VERSION
from moldau.programs.tools.server_settings import settings_from_file

FIRST_LOG = f"{0:020}.log"
OFFSET_INDEX = ".index"
"""Kafka's tool prints on standard output that one is empty."""
KEY_FILE = OwnSettings.moldau_encryption_at_rest_key_file.name
KEY_MANAGER = OwnSettings.moldau_encryption_at_rest_key_manager_class.name
ENCRYPTION = "moldau.broker.node.encryption"
"""Imported where there are keys: it takes OpenSSL with it."""
STRING_DECODER = "org.apache.kafka.tools.api.StringDecoder"
DECODERS: dict[str, Decoder] = {
    "offsets": CoordinatorDecoder(decoders.OFFSETS_MODULES),
    "transaction-log": CoordinatorDecoder(decoders.TRANSACTIONS_MODULES),
    "cluster-metadata": MetadataDecoder(decoders.METADATA_MODULES),
    "remote-log-metadata": MetadataDecoder(decoders.REMOTE_LOG_MODULES),
    "share-group-state": CoordinatorDecoder(decoders.SHARE_STATE_MODULES),
}


class UnknownDecoderError(MoldauError):
    """A decoder class that we do not have."""


def declare(parser: ArgumentParser) -> None:
    parser.add_argument("--version", action="version", version=KAFKA_VERSION)
    parser.add_argument("--files", required=True, metavar="FILE,FILE…", help="the files to print")
    parser.add_argument(
        "--deep-iteration", action="store_true", help="print every record, not batches alone"
    )
    parser.add_argument(
        "--print-data-log",
        action="store_true",
        help="print keys and values of records; every decoder implies it",
    )
    parser.add_argument(
        "--skip-record-metadata",
        action="store_true",
        help="print keys and values alone, and no control records",
    )
    parser.add_argument(
        "--max-bytes", type=int, default=MAX_BYTES, metavar="BYTES", help="read no more of a .log"
    )
    parser.add_argument(
        "--max-message-size",
        type=int,
        default=5 * 1024 * 1024,
        metavar="BYTES",
        help="taken for the sake of scripts; batches of every size are read",
    )
    parser.add_argument(
        "--verify-index-only",
        action="store_true",
        help="compare indexes with their logs, print no entries",
    )
    parser.add_argument(
        "--index-sanity-check",
        action="store_true",
        help="look whether indexes make sense by themselves, print no entries",
    )
    _declare_decoders(parser)
    _declare_keys(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def _declare_decoders(parser: ArgumentParser) -> None:
    for part in ("key", "value"):
        parser.add_argument(
            f"--{part}-decoder-class",
            nargs="?",
            const=STRING_DECODER,
            metavar="CLASS",
            help=f"how to show a {part}: {', '.join(BYTES_DECODERS)}",
        )
    for name in DECODERS:
        parser.add_argument(
            f"--{name}-decoder", action="store_true", help=f"decode records of the {name} topic"
        )


def _declare_keys(parser: ArgumentParser) -> None:
    keys = parser.add_mutually_exclusive_group()
    keys.add_argument(
        "--encryption-key-file", metavar="FILE", help="the keys of topics that are encrypted"
    )
    keys.add_argument(
        "--config", metavar="FILE", help="settings of the node, which say where its keys are"
    )
    parser.add_argument(
        "--partition",
        metavar="TOPIC-N",
        help="of which partition encrypted files are, where their directory has another name",
    )


def run(options: Namespace, world: World) -> int:
    report = Report()
    chosen = _options(options, _opening(options, world))
    for path in options.files.split(","):
        if _is_empty(world.files, path) and not path.endswith(OFFSET_INDEX):
            world.errors.write(f"{path} is empty\n")
        if not options.json:
            world.out.write(f"Dumping {path}\n")
        shown = dump_file(world.files, path, chosen, report)
        if shown is None:
            world.errors.write(f"Ignoring unknown file {path}\n")
            continue
        with _remedies():
            _print(path, shown, options, world)
    for finding in report.lines():
        world.errors.write(finding + "\n")
    return 0


def _print(path: str, shown: Iterable[Shown], options: Namespace, world: World) -> None:
    for line in shown:
        if options.json:
            fields = {"file": path, "kind": line.kind, **line.fields}
            world.out.write(json.dumps(fields, ensure_ascii=False) + "\n")
        else:
            world.out.write(line.text + "\n")


@contextmanager
def _remedies() -> Iterator[None]:
    """Name the flags that help with what is encrypted."""
    try:
        yield
    except NoKeysError as error:
        hint = "give --encryption-key-file, or --config with the node's settings"
        raise MoldauError(f"{error}; {hint}") from error
    except PartitionUnknownError as error:
        raise MoldauError(f"{error}; name its partition with --partition") from error


def _is_empty(files: Files, path: str) -> bool:
    """Whether there is nothing in the file, or `FileMissingError`."""
    if not path:
        raise FileMissingError("--files", "it names files, with commas between, and not nothing")
    status = files.status(path)
    if status is None:
        raise FileMissingError(path, "there is no such file")
    if status.is_directory:
        reason = f"it is a directory; name the files in it, such as {path.rstrip('/')}/{FIRST_LOG}"
        raise FileMissingError(path, reason)
    return status.size == 0


def _opening(options: Namespace, world: World) -> Opening:
    if options.encryption_key_file is not None:
        settings = BrokerSettings({KEY_FILE: absolute_path(options.encryption_key_file)})
    elif options.config is not None:
        settings = settings_from_file(read_properties(world.files, options.config), {})
        own = settings.own
        manager = own.moldau_encryption_at_rest_key_manager_class
        if not manager and not own.moldau_encryption_at_rest_key_file:
            raise SettingError(f"{options.config} has neither {KEY_FILE} nor {KEY_MANAGER}")
    else:
        return Opening(None, options.partition)  # which asks for keys where they are needed
    world_of_logs = LogWorld(world.files, world.clock, world.random)
    made: Encryption = import_module(ENCRYPTION).make_encryption(settings, world_of_logs)
    return Opening(made, options.partition, absolute_path(""))


def _options(options: Namespace, opening: Opening) -> DumpOptions:
    decoder = _decoder(options)
    log = LogOptions(
        deep=options.deep_iteration or decoder is not None,
        decoder=decoder,
        skips_metadata=options.skip_record_metadata,
        max_bytes=options.max_bytes,
        opening=opening,
    )
    return DumpOptions(log, IndexOptions(options.verify_index_only, options.index_sanity_check))


def _decoder(options: Namespace) -> Decoder | None:
    """The decoder that is asked for; None where data are not."""
    for name, decoder in DECODERS.items():
        if getattr(options, f"{name.replace('-', '_')}_decoder"):
            return decoder
    classes = (options.key_decoder_class, options.value_decoder_class)
    if not options.print_data_log and classes == (None, None):
        return None
    key, value = (name or STRING_DECODER for name in classes)
    for name in (key, value):
        if name not in BYTES_DECODERS:
            raise UnknownDecoderError(
                f"{name}: no such decoder; choose of {', '.join(BYTES_DECODERS)}"
            )
    return PlainDecoder(BYTES_DECODERS[key], BYTES_DECODERS[value])
