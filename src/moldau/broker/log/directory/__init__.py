"""The directories of a node's disks: whose they are, what lies in them, and their small files.

Owns the lock, `meta.properties`, the checkpoints, the clean-shutdown marker and the names of
partitions' directories. It opens no log; a directory that failed goes offline alone.

Reading order: names, checkpoint_text, offset_checkpoint, partition_metadata,
meta_properties, clean_shutdown, directory, directories.
"""

from moldau.broker.log.directory.directories import LogDirectories, open_directories
from moldau.broker.log.directory.directory import (
    DirectoryRefusedError,
    LogDirectory,
    format_directory,
    open_directory,
)
from moldau.broker.log.directory.names import TopicPartition

__all__ = [
    "DirectoryRefusedError",
    "LogDirectories",
    "LogDirectory",
    "TopicPartition",
    "format_directory",
    "open_directories",
    "open_directory",
]
