"""The world for real: the five ports on this machine.

The only package that imports os, time, socket or threading. It translates what the system reports
into our errors, and decides nothing else.

Reading order:

- `clock`       the wall's time, and a hand that never turns back
- `randomness`  chance from the system, fit for secrets
- `files`       files and directories
- `system_file` one of them that is open, and what its failures mean
- `seldom_file` files of which there are many, each needed now and then
- `short_waits` whether a loop should poll before it falls asleep
- `measured_loop` asyncio's loop, which measures how long it has waited
- `outbox`      small answers that wait a moment for those of the same turn
- `crossing`    what other threads want done on a loop
- `direct_loop` a measured loop that calls readable links itself
- `turns`       long work in slices, between which others are served
- `long_collections` what a long look for garbage found alive, set aside for an hour
- `offloading`  threads for the leaf calls of one loop
- `tasks`       tasks on asyncio's loop, threads for leaf calls, and `run`, which begins it all
- `background`  a loop in a thread of its own, for programs that have none
- `mailbox`     from any thread to such a loop, many things at a time
- `callers_tasks` tasks in the caller's thread, without asyncio, and `callers_network` for them
- `places`      what an address stands for here, and `look_ups` of it beside a loop
- `kerberos`    tickets and keys, by the machine's own library
- `network`     listeners and links, over TCP
- `tls`         the same protected, by OpenSSL
- `authority`   makes certificates, for development and tests
- `signals`     being asked to stop
- `foreground`  long work that a signal ends at any moment, for programs without a loop
- `interrupts`  what Ctrl-C does by default
- `waiting`     time that passes, and SIGTERM, for programs without a loop
- `heap`        what the C library does with memory that is free again
- `usage`       what this process takes of the machine
- `host`        what the machine is called
- `line_editor` lines that a person types, with a history and completion
- `java`        the Java that is installed, for what runs on one; `class_archive` for a program on
  it that is to start sooner, and `unsigned_jars` for what an archive can have no classes of
- `pod`         whether this is a pod of Kubernetes, and which
- `process`     this process: its environment, and becoming another program; `variables` has one
  variable of it
- `routes`      from where this machine is seen by another
- `streams`     standard output and errors, closed or full as they may be, and `input_lines` of
  standard input on a loop
- `children`    programs that this one starts and ends, line by line
- `fork_server` a process that has loaded what programs need, and becomes each of them by a fork;
  `fork_client` stands for such a program
- `workers`     children that work for this process within bounds; `working` is inside of one
- `time_limit`  calls of code that may not come back
- `daemons`     programs that go on without a terminal, and finding them again
- `free_ports`  ports that no program listens on
- `drain`       what another program writes, read and dropped
- `temporary`   temporary directories
- `link`        one connection: its socket, and what is still to be sent
"""
