"""Protobuf: its language, its descriptors, and who can read whom.

What Google's package knows is left to it: descriptors, how names are resolved, and whether a file
makes sense. Its compiler is not needed. A schema is a text, or a descriptor in base64, as some
clients send it.

Reading order: tokens, scanner (what is expected next), options, declarations (text to a
descriptor), known_files (what every schema may import), pools (names resolved), numbering (what
those let pass and protoc does not), printing (descriptor to text), wire_rules (compatibility), data
(messages by a schema), language.
"""
