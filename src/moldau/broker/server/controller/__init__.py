"""Between brokers and the active controller: registration, heartbeats, changes of partitions.

Reading order: access (how a broker asks), mutations (the quota on them), registration,
isr_reports, replica_reports; broker_registration, broker_heartbeat, controller_registration,
alter_partition, assign_replicas_to_dirs, allocate_producer_ids, envelope (forwarded requests);
vanished_brokers.
"""
