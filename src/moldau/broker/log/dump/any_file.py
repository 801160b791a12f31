"""Files of a partition as readable lines; what each kind looks like is in the `dump_…` modules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from moldau.broker.log.dump.cut_file import dump_cut_file
from moldau.broker.log.dump.indexes import IndexOptions, dump_offset_index, dump_time_index
from moldau.broker.log.dump.log_file import dump_log
from moldau.broker.log.dump.log_lines import LogOptions
from moldau.broker.log.dump.producers import dump_producer_snapshot, dump_transaction_index
from moldau.broker.log.dump.report import Report, Shown
from moldau.platform.ports.files import Files
from moldau.platform.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class DumpOptions:
    """What a dump shows."""

    log: LogOptions = field(default_factory=LogOptions)
    index: IndexOptions = field(default_factory=IndexOptions)


def dump_file(
    files: Files, path: str, options: DumpOptions, report: Report
) -> Iterator[Shown] | None:
    """The lines of one file by the end of its name; None if nothing ends so."""
    name = path.rpartition("/")[2]
    match f".{name.rpartition('.')[2]}" if "." in name else "":
        case ".log" | ".checkpoint":
            return dump_log(files, path, options.log, report)
        case ".cut":
            return dump_cut_file(files, path, options.log, report)
        case ".index":
            return dump_offset_index(files, path, options.index, report)
        case ".timeindex":
            return dump_time_index(files, path, options.index, report)
        case ".snapshot":
            return dump_producer_snapshot(files, path)
        case ".txnindex":
            return dump_transaction_index(files, path)
        case _:
            return None
