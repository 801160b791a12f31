"""A node's metadata as directories and files, as `kafka-metadata-shell` shows them.

Reading order: `metadata_files` reads an image from a node's directory, `tree` makes nodes of it
in `java_words`, `globs` finds some of them, `listing` puts names into columns, `shell_words`
parses what is typed, `shell` does it, and `metadata_shell` is the command.
"""
