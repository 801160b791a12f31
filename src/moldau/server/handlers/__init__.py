"""One file per API, under the path and name of its messages: `handle(call, broker)`.

A handler checks who asks, takes the request apart and hands each piece to the room that decides.
It decides nothing itself. Most answer at once; one that has to wait is a coroutine.
"""
