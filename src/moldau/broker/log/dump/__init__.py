"""Files of a partition as lines for people, word for word as kafka-dump-log prints them.

Owns the text, not the command: `moldau.programs.tools.dump_log` reads the flags.
It changes no file.

Reading order: any_file, report, found, opening, log_file, cut_file, log_lines,
control, indexes, producers, decoders, group, plain_json.
"""

from moldau.broker.log.dump.any_file import DumpOptions, dump_file

__all__ = ["DumpOptions", "dump_file"]
