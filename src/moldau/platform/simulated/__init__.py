"""The simulated world: the five ports in memory, from a seed, on a virtual clock.

What runs here is the code of production; only what it stands on is replaced. Tests set
what goes wrong (a crash, a cut, a failing disk); nothing here decides that by itself.

Reading order:

- `clock`          a clock that the simulation sets
- `randomness`     chance that a seed repeats
- `tasks`          asyncio's loop, with time that jumps from timer to timer
- `network`        hosts, the ways between them, and what befalls both
- `link`           one end of a connection, with its window
- `files`          the Files port on a virtual disk
- `disk`           directories and files, and the history of what was not synced
- `disk_nodes`     what a disk is made of
- `disk_contents`  the bytes of a file, by pages
- `disk_versions`  what a file may hold after a crash
- `disk_crash`     the states that a crash may leave behind
- `disk_faults`    calls that fail, by plan
"""
