"""Keys for encrypting fields: the DEK registry, in a topic of its own.

A key encryption key (KEK) is a name for a key that a key manager has; of the key itself nothing is
here. A data encryption key (DEK) is kept encrypted by its KEK: one for each subject, algorithm and
version. Clients make them, encrypt with them, and ask for them again when they decrypt; who has
no right at the key manager can do nothing with what is here.

Reading order: records (keys and values of the topic), state, deciding, store.
"""
