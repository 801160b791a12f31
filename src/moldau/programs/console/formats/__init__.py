"""Formats that a reader chooses, or that are usual for a topic.

There are a few plain ones. The others a user writes in Python: how they are declared, called,
bounded and offered. Such a format decodes keys and values, and may encode what is to be sent. Its
code runs in processes of its own (and in that of a search), never in the one that serves.

Reading order: declared (names, topics, places of functions), called (one function, whatever it
does), child (the process that calls them), process (the same, seen by the process that serves),
offered (what the pages use), plain (numbers and the like), usual (rules of a cluster).
"""
