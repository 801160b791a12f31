"""`moldau dump-log`: files of a log directory as lines, with the flags of `kafka-dump-log`.

The lines are the same as those of Apache Kafka 4.3's tool, so that the outputs of the two can be
compared; `--json` prints an object a line instead. What is wrong with indexes and offsets is
printed at the end on standard error.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

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
from moldau.broker.log.dump.report import Report
from moldau.errors import FileMissingError, MoldauError
from moldau.platform.ports.files import Files
from moldau.programs.tools.command import World

FIRST_LOG = f"{0:020}.log"
OFFSET_INDEX = ".index"
"""Kafka's tool says on standard output that one is empty."""
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


def run(options: Namespace, world: World) -> int:
    report = Report()
    chosen = _options(options)
    for path in options.files.split(","):
        if _is_empty(world.files, path) and not path.endswith(OFFSET_INDEX):
            world.errors.write(f"{path} is empty\n")
        if not options.json:
            world.out.write(f"Dumping {path}\n")
        shown = dump_file(world.files, path, chosen, report)
        if shown is None:
            world.errors.write(f"Ignoring unknown file {path}\n")
            continue
        for line in shown:
            if options.json:
                fields = {"file": path, "kind": line.kind, **line.fields}
                world.out.write(json.dumps(fields, ensure_ascii=False) + "\n")
            else:
                world.out.write(line.text + "\n")
    for finding in report.lines():
        world.errors.write(finding + "\n")
    return 0


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


def _options(options: Namespace) -> DumpOptions:
    decoder = _decoder(options)
    log = LogOptions(
        deep=options.deep_iteration or decoder is not None,
        decoder=decoder,
        skips_metadata=options.skip_record_metadata,
        max_bytes=options.max_bytes,
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
