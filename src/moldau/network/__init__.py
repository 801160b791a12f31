"""From bytes to frames and back: connections that others open to this node, and those it opens.

Of the former it owns the cutting of frames, the order of answers, the muting of connections that
wait or owe, the memory that unfinished frames may take, and admission. It reads the first four
bytes of a frame and nothing of what is in it. The latter are `outgoing`, which clients use as well
as nodes. How logins are done on either kind is in `sasl`, and in `tls` what
settings and certificates say about protection.

Reading order: principal, admission, budget, named_hosts, other_protocols, receiving, software,
unfinished, owed, connection; replacing (as Java does it); sasl, tls, outgoing.
"""
