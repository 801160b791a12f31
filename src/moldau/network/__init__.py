"""From bytes to frames and back, for every connection that others open to this node.

Owns the cutting of frames, the order of answers, the muting of connections that wait or owe, the
memory that unfinished frames may take, and who is let in. It knows the first four bytes of a frame
and nothing of what is in it.

Reading order: principal, admission, budget, other_protocols, receiving, software, connection.
"""
