"""Names of Apache Kafka's metrics that dashboards and alerts are made of, by group and type.

The names are those of Kafka 4.3's MBeans. Where tags stand behind a name, a series with all of them
is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from moldau.broker.metrics.name import MetricName

__all__ = ["WantedMetric", "wanted_metrics"]

TEXT = """
kafka.server:ReplicaManager
    UnderReplicatedPartitions UnderMinIsrPartitionCount AtMinIsrPartitionCount OfflineReplicaCount
    ReassigningPartitions LeaderCount PartitionCount IsrShrinksPerSec IsrExpandsPerSec
    FailedIsrUpdatesPerSec ProducerIdCount PartitionsWithLateTransactionsCount
kafka.controller:KafkaController
    ActiveControllerCount OfflinePartitionsCount GlobalTopicCount GlobalPartitionCount
    PreferredReplicaImbalanceCount ActiveBrokerCount FencedBrokerCount MetadataErrorCount
    LastAppliedRecordLagMs TimedOutBrokerHeartbeatCount NewActiveControllersCount
    BrokerRegistrationState,broker=1 BrokerRegistrationState,broker=2
    TimeSinceLastHeartbeatReceivedMs,broker=1 EventQueueOperationsStartedCount
    EventQueueOperationsTimedOutCount
kafka.controller:ControllerEventManager
    EventQueueTimeMs EventQueueProcessingTimeMs AvgIdleRatio
kafka.controller:ControllerStats
    UncleanLeaderElectionsPerSec ElectionFromEligibleLeaderReplicasPerSec
kafka.server:BrokerTopicMetrics
    MessagesInPerSec BytesInPerSec BytesOutPerSec
    MessagesInPerSec,topic=orders BytesInPerSec,topic=orders BytesOutPerSec,topic=orders
    ReplicationBytesInPerSec ReplicationBytesOutPerSec BytesRejectedPerSec
    ReassignmentBytesInPerSec ReassignmentBytesOutPerSec
    TotalProduceRequestsPerSec TotalFetchRequestsPerSec FailedProduceRequestsPerSec
    FailedFetchRequestsPerSec InvalidMessageCrcRecordsPerSec NoKeyCompactedTopicRecordsPerSec
    ProduceMessageConversionsPerSec
    TotalShareFetchRequestsPerSec TotalShareFetchRequestsPerSec,topic=orders
    FailedShareFetchRequestsPerSec
    TotalShareAcknowledgementRequestsPerSec TotalShareAcknowledgementRequestsPerSec,topic=orders
    FailedShareAcknowledgementRequestsPerSec
kafka.server:ShareGroupMetrics
    RecordAcknowledgementsPerSec,ackType=Accept RecordAcknowledgementsPerSec,ackType=Release
    RecordAcknowledgementsPerSec,ackType=Reject RecordAcknowledgementsPerSec,ackType=Renew
    TopicPartitionsAcquireTimeMs,group=sharers RequestTopicPartitionsFetchRatio,group=sharers
    PartitionLoadTimeMs
kafka.server:SharePartitionMetrics
    InFlightMessageCount,group=sharers,topic=orders,partition=0
    InFlightBatchCount,group=sharers,topic=orders,partition=0
    AcquisitionLockTimeoutPerSec,group=sharers,topic=orders,partition=0
    InFlightBatchMessageCount,group=sharers,topic=orders,partition=0
    FetchLockTimeMs,group=sharers,topic=orders,partition=0
    FetchLockRatio,group=sharers,topic=orders,partition=0
kafka.server:ShareSessionCache
    ShareSessionsCount SharePartitionsCount ShareSessionEvictionsPerSec
kafka.network:RequestMetrics
    TotalTimeMs,request=Produce TotalTimeMs,request=FetchConsumer TotalTimeMs,request=FetchFollower
    RequestQueueTimeMs,request=Produce LocalTimeMs,request=Produce RemoteTimeMs,request=Produce
    ResponseQueueTimeMs,request=Produce ResponseSendTimeMs,request=Produce
    ThrottleTimeMs,request=Produce RequestsPerSec,request=Produce
    ErrorsPerSec,request=JoinGroup RequestBytes,request=Produce
kafka.network:RequestChannel
    RequestQueueSize ResponseQueueSize
kafka.network:SocketServer
    NetworkProcessorAvgIdlePercent ExpiredConnectionsKilledCount
kafka.server:KafkaRequestHandlerPool
    RequestHandlerAvgIdlePercent
kafka.server:DelayedOperationPurgatory
    PurgatorySize,delayedOperation=Produce PurgatorySize,delayedOperation=Fetch
kafka.server:ReplicaFetcherManager
    MaxLag,clientId=Replica FailedPartitionsCount,clientId=Replica DeadThreadCount,clientId=Replica
kafka.server:FetcherLagMetrics
    ConsumerLag,topic=orders,partition=0
kafka.cluster:Partition
    UnderReplicated,topic=orders,partition=0 UnderMinIsr,topic=orders,partition=0
    InSyncReplicasCount,topic=orders,partition=0 LastStableOffsetLag,topic=orders,partition=0
kafka.log:Log
    Size,topic=orders,partition=0 LogStartOffset,topic=orders,partition=0
    LogEndOffset,topic=orders,partition=0 NumLogSegments,topic=orders,partition=0
kafka.log:LogFlushStats
    LogFlushRateAndTimeMs
kafka.log:LogManager
    OfflineLogDirectoryCount LogDirectoryOffline remainingLogsToRecover
kafka.log:LogCleanerManager
    time-since-last-run-ms max-dirty-percent uncleanable-partitions-count uncleanable-bytes
kafka.log:LogCleaner
    DeadThreadCount max-clean-time-secs cleaner-recopy-percent max-buffer-utilization-percent
    max-compaction-delay-secs
kafka.server:KafkaServer
    BrokerState ClusterId linux-disk-read-bytes linux-disk-write-bytes
kafka.server:MetadataLoader
    CurrentMetadataVersion
kafka.server:broker-metadata-metrics
    last-applied-record-lag-ms metadata-load-error-count metadata-apply-error-count
kafka.server:raft-metrics
    current-state current-leader current-epoch high-watermark log-end-offset commit-latency-avg
    election-latency-avg number-of-voters current-vote append-records-rate fetch-records-rate
kafka.server:raft-channel-metrics
    request-total response-total incoming-byte-total outgoing-byte-total
kafka.server:socket-server-metrics
    connection-count connection-creation-rate failed-authentication-total
kafka.server:Produce
    byte-rate,client-id=limited throttle-time,client-id=limited
kafka.server:Fetch
    byte-rate,client-id=limited throttle-time,client-id=limited
kafka.server:Request
    request-time,client-id=limited throttle-time,client-id=limited
kafka.server:FetchSessionCache
    NumIncrementalFetchSessions IncrementalFetchSessionEvictionsPerSec
kafka.server:group-coordinator-metrics
    group-count,protocol=classic group-count,protocol=consumer consumer-group-count,state=Stable
    offset-commit-rate group-completed-rebalance-rate consumer-group-rebalance-rate
    event-queue-time-ms-p99 num-partitions,state=active num-partitions,state=loading
    num-partitions,state=failed partition-load-time-max partition-load-time-avg
kafka.server:share-coordinator-metrics
    write-rate write-total write-latency-avg write-latency-max num-partitions,state=active
    partition-load-time-max partition-load-time-avg thread-idle-ratio-avg event-queue-size
kafka.coordinator.group:GroupMetadataManager
    NumOffsets NumGroups NumGroupsStable
"""


class WantedMetric(NamedTuple):
    """A series that some node has."""

    name: MetricName
    """With the tags that are asked for."""

    @property
    def family(self) -> str:
        return self.name.prometheus


def wanted_metrics() -> Iterator[WantedMetric]:
    group = kind = ""
    for line in TEXT.split("\n"):
        if line and not line.startswith(" "):
            group, _, kind = line.partition(":")
        for word in line.split() if line.startswith(" ") else ():
            name, *tags = word.split(",")
            pairs = tuple((key, value) for key, _, value in (tag.partition("=") for tag in tags))
            yield WantedMetric(MetricName(group, kind, name, pairs))
