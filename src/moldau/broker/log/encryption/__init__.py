"""Encryption at rest: what stands in a `.log` of a topic with `encryption.at.rest`.

Owns the form of an encrypted batch, and the keys. It never decides which topic is encrypted, and
followers need nothing of it: they copy what is on the disk. Decision 19 has why it is built so.

    leader: validate ─► encrypt ─► disk ─► followers, recovery, indexes: as they are
                                     └───► consumers, timestamps, compaction: decrypt

A log reaches it through `broker.log.encryption_port`, and it is imported where a node has keys.

Reading order: `encrypted_batch`, `keyring`, `key_file`, `key_lines`, `keys_in_use`.
"""
