"""One handler for each API, at the same path and under the same name as its messages.

A handler checks access and form, asks the part of the node that knows, and puts the answer
together. What it may return stands in `server.call`; `server.apis` says who is asked for what.
"""
