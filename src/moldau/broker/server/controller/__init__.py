"""Between brokers and the active controller: registration, heartbeats, changes of partitions.

Reading order: access (how a broker asks), mutations (the quota on them), registration,
isr_reports, replica_reports; broker_registration, broker_heartbeat, envelope (forwarded requests);
early_fencing.
"""
