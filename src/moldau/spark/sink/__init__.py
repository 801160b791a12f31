"""The format `moldau` as a sink: rows become records of topics, each batch once.

    options     a query's options about what it writes, typed
    columns     which columns become what of a record
    names       transactional ids: few, and no two tasks ever write under one
    tasks       what a task does: rows in, a prepared transaction out
    decisions   the log in which it stands which transactions a batch has
    settling    how a batch is committed once, whatever dies
    writers     what Spark asks for

Tasks write in transactions and leave them prepared. When all have, the driver writes one record
that names them into a compacted topic of its own, in a transaction: that is the decision. Then it
commits them. A batch that comes again finds its decision, commits what that names, and aborts what
was written again.

    dies                          what is left                   who ends it
    a task, an executor           an open transaction            the driver, when it has decided
    the driver, before deciding   open transactions              the next driver, when it has
    the driver, after deciding    transactions, and their names  the next driver, by those names
    a broker                      what it had promised           Kafka's replication

With two-phase commit (KIP-939) prepared transactions wait without a limit. Where brokers do not
allow it, they are aborted after `transaction.timeout.ms`: that is how long a driver may be away
between its decision and the last commit. A later one notices and reports it.
"""
