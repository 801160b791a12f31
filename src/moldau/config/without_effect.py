"""Settings of nodes, topics and groups that change nothing here, each with the reason.

The generated page of settings shows the reason as "No effect here, because …". A test finds every
declared setting that no code reads: it is made to work, or it is listed here.
"""

from __future__ import annotations

from collections.abc import Mapping

_NAMES: Mapping[str, str] = {
    "one loop does the work, with a few threads of its own for the disk": """
        background.threads group.coordinator.background.threads group.coordinator.threads
        log.cleaner.threads num.io.threads num.network.threads num.recovery.threads.per.data.dir
        num.replica.alter.log.dirs.threads share.coordinator.threads
    """,
    "a delayed operation leaves its purgatory as soon as it is completed": """
        delete.records.purgatory.purge.interval.requests fetch.purgatory.purge.interval.requests
        producer.purgatory.purge.interval.requests share.fetch.purgatory.purge.interval.requests
    """,
    "the operating system sizes the buffers of connections": """
        socket.receive.buffer.bytes socket.send.buffer.bytes
    """,
    "a connection has one request in hand, and queued.max.request.bytes bounds them all": """
        queued.max.requests
    """,
    "buffers are not kept from one write to the next": """
        group.coordinator.cached.buffer.max.bytes share.coordinator.cached.buffer.max.bytes
    """,
    "no class of Java can run in the process": """
        alter.config.policy.class.name client.quota.callback.class
        create.topic.policy.class.name kafka.metrics.polling.interval.secs
        kafka.metrics.reporters metric.reporters security.providers
    """,
    "values are taken as they are written, and ${...} is not looked up": """
        config.providers
    """,
    "averages and maxima are those of the last minute, and all metrics are recorded": """
        metrics.num.samples metrics.recording.level metrics.sample.window.ms
    """,
    "slow events of the controller are not logged": """
        controller.performance.always.log.threshold.ms controller.performance.sample.period.ms
    """,
    "records that come in during a sync are written together after it, and none waits longer": """
        controller.quorum.append.linger.ms
    """,
    "a metadata batch has at most 8 MiB, and what is dropped of the log is deleted at once": """
        internal.metadata.delete.delay.millis internal.metadata.max.batch.size.in.bytes
    """,
    "compaction reads batch by batch and writes in pieces of a fixed size": """
        log.cleaner.io.buffer.size
    """,
    "there is one assignor, simple": """
        group.share.assignors
    """,
    "access rules are known before any listener of clients serves; those of controllers begin "
    "earlier, and only super users pass there until the rules are known": """
        early.start.listeners
    """,
    "a start waits for no other node": """
        server.max.startup.time.ms
    """,
    "broker, controller and coordinators are in one process, and none has to be retried": """
        add.partitions.to.txn.retry.backoff.max.ms add.partitions.to.txn.retry.backoff.ms
        log.dir.failure.timeout.ms
    """,
    "a cluster of several nodes is not there yet": """
        controller.socket.timeout.ms
        replica.socket.receive.buffer.bytes socket.connection.setup.timeout.max.ms
    """,
    "tiered storage is not there yet": """
        follower.fetch.last.tiered.offset.enable local.retention.bytes local.retention.ms
        log.local.retention.bytes log.local.retention.ms remote.fetch.max.wait.ms
        remote.list.offsets.request.timeout.ms remote.log.copy.disable
        remote.log.delete.on.disable remote.log.index.file.cache.total.size.bytes
        remote.log.index.file.cache.ttl.ms remote.log.manager.copier.thread.pool.size
        remote.log.manager.copy.max.bytes.per.second remote.log.manager.copy.quota.window.num
        remote.log.manager.copy.quota.window.size.seconds
        remote.log.manager.expiration.thread.pool.size
        remote.log.manager.fetch.max.bytes.per.second remote.log.manager.fetch.quota.window.num
        remote.log.manager.fetch.quota.window.size.seconds
        remote.log.manager.follower.thread.pool.size remote.log.manager.task.interval.ms
        remote.log.manager.task.retry.backoff.max.ms remote.log.manager.task.retry.backoff.ms
        remote.log.manager.task.retry.jitter remote.log.manager.thread.pool.size
        remote.log.metadata.custom.metadata.max.bytes remote.log.metadata.manager.class.name
        remote.log.metadata.manager.class.path remote.log.metadata.manager.impl.prefix
        remote.log.metadata.manager.listener.name remote.log.reader.max.pending.tasks
        remote.log.reader.threads remote.log.storage.manager.class.name
        remote.log.storage.manager.class.path remote.log.storage.manager.impl.prefix
    """,
    "the machine's library of Kerberos renews tickets by the keytab": """
        sasl.kerberos.kinit.cmd sasl.kerberos.min.time.before.relogin
        sasl.kerberos.ticket.renew.jitter sasl.kerberos.ticket.renew.window.factor
    """,
    "no class of Java can run in the process, and what Kafka's own do is chosen by what is set": """
        sasl.client.callback.handler.class sasl.login.class
        sasl.oauthbearer.jwt.validator.class
    """,
    "TLS is OpenSSL's here, which has no providers and no classes of Java": """
        ssl.engine.factory.class ssl.keymanager.algorithm ssl.provider
        ssl.secure.random.implementation ssl.trustmanager.algorithm
    """,
}
"""Reason, and the settings that it holds for."""

WITHOUT_EFFECT: Mapping[str, str] = {
    name: reason for reason, names in _NAMES.items() for name in names.split()
}
"""Setting, and the reason."""
