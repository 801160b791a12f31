"""What an admin client asks, and of which brokers: every call of Java's Admin, as dialogues.

A call has keys: topics, partitions, groups. `fulfilment` asks for all of them together, one request
for each broker that has some of them, asks again for those whose errors may pass, and ends with
`Outcomes`: a value or an error for each key. `routes` has which broker that is. The other files
have one subject each: the values that go in and come out, and the calls. A subject is loaded with
the first of its calls: creating a topic waits for no access rules.

Reading order: outcomes, calls, declared, fulfilment, routes, choices, then the subjects: topics,
topic_views, partitions, offsets, configs, groups, group_views, streams_views, group_offsets,
share_offsets, cluster, log_dirs, replica_batches, features, quorum, quotas, scram, acls, tokens,
producers, transactions.
"""

from typing import TYPE_CHECKING

from moldau.platform.lazy_names import lazy_names

if TYPE_CHECKING:
    from moldau.client.core.admin.acls import create_acls, delete_acls, describe_acls
    from moldau.client.core.admin.cluster import (
        broker_api_versions,
        client_instance_id,
        describe_cluster,
        unregister_broker,
    )
    from moldau.client.core.admin.configs import (
        describe_configs,
        incremental_alter_configs,
        list_config_resources,
    )
    from moldau.client.core.admin.features import describe_features, update_features
    from moldau.client.core.admin.group_offsets import (
        alter_group_offsets,
        delete_group_offsets,
        list_group_offsets,
    )
    from moldau.client.core.admin.group_views import (
        describe_classic_groups,
        describe_consumer_groups,
        describe_share_groups,
    )
    from moldau.client.core.admin.groups import (
        MemberToRemove,
        delete_groups,
        list_groups,
        remove_members,
    )
    from moldau.client.core.admin.log_dirs import (
        alter_replica_log_dirs,
        describe_log_dirs,
        describe_replica_log_dirs,
    )
    from moldau.client.core.admin.offsets import OffsetPlace, list_offsets
    from moldau.client.core.admin.partitions import (
        alter_partition_reassignments,
        delete_records,
        elect_leaders,
        list_partition_reassignments,
    )
    from moldau.client.core.admin.producers import abort_transaction, describe_producers
    from moldau.client.core.admin.quorum import (
        add_raft_voter,
        describe_metadata_quorum,
        remove_raft_voter,
    )
    from moldau.client.core.admin.quotas import alter_client_quotas, describe_client_quotas
    from moldau.client.core.admin.replica_batches import read_replicas
    from moldau.client.core.admin.scram import (
        alter_user_scram_credentials,
        describe_user_scram_credentials,
    )
    from moldau.client.core.admin.share_offsets import (
        alter_share_group_offsets,
        delete_share_group_offsets,
        list_share_group_offsets,
    )
    from moldau.client.core.admin.streams_views import describe_streams_groups
    from moldau.client.core.admin.tokens import (
        create_delegation_token,
        describe_delegation_token,
        expire_delegation_token,
        renew_delegation_token,
    )
    from moldau.client.core.admin.topic_views import (
        describe_all_topics,
        describe_first_topics,
        describe_topics,
        describe_topics_by_id,
        list_topics,
    )
    from moldau.client.core.admin.topics import (
        create_partitions,
        create_topics,
        delete_topics,
        delete_topics_by_id,
    )
    from moldau.client.core.admin.transactions import (
        describe_transactions,
        fence_producers,
        list_transactions,
    )
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "client.core.admin.acls": "create_acls delete_acls describe_acls",
            "client.core.admin.cluster": (
                "broker_api_versions client_instance_id describe_cluster unregister_broker"
            ),
            "client.core.admin.configs": (
                "describe_configs incremental_alter_configs list_config_resources"
            ),
            "client.core.admin.features": "describe_features update_features",
            "client.core.admin.group_offsets": (
                "alter_group_offsets delete_group_offsets list_group_offsets"
            ),
            "client.core.admin.group_views": (
                "describe_classic_groups describe_consumer_groups describe_share_groups"
            ),
            "client.core.admin.groups": "MemberToRemove delete_groups list_groups remove_members",
            "client.core.admin.log_dirs": (
                "alter_replica_log_dirs describe_log_dirs describe_replica_log_dirs"
            ),
            "client.core.admin.offsets": "OffsetPlace list_offsets",
            "client.core.admin.partitions": (
                "alter_partition_reassignments delete_records elect_leaders "
                "list_partition_reassignments"
            ),
            "client.core.admin.producers": "abort_transaction describe_producers",
            "client.core.admin.quorum": "add_raft_voter describe_metadata_quorum remove_raft_voter",
            "client.core.admin.quotas": "alter_client_quotas describe_client_quotas",
            "client.core.admin.replica_batches": "read_replicas",
            "client.core.admin.scram": (
                "alter_user_scram_credentials describe_user_scram_credentials"
            ),
            "client.core.admin.share_offsets": (
                "alter_share_group_offsets delete_share_group_offsets list_share_group_offsets"
            ),
            "client.core.admin.streams_views": "describe_streams_groups",
            "client.core.admin.tokens": (
                "create_delegation_token describe_delegation_token expire_delegation_token "
                "renew_delegation_token"
            ),
            "client.core.admin.topic_views": (
                "describe_all_topics describe_first_topics describe_topics describe_topics_by_id "
                "list_topics"
            ),
            "client.core.admin.topics": (
                "create_partitions create_topics delete_topics delete_topics_by_id"
            ),
            "client.core.admin.transactions": (
                "describe_transactions fence_producers list_transactions"
            ),
        },
    )

__all__ = [
    "MemberToRemove",
    "OffsetPlace",
    "abort_transaction",
    "add_raft_voter",
    "alter_client_quotas",
    "alter_group_offsets",
    "alter_partition_reassignments",
    "alter_replica_log_dirs",
    "alter_share_group_offsets",
    "alter_user_scram_credentials",
    "broker_api_versions",
    "client_instance_id",
    "create_acls",
    "create_delegation_token",
    "create_partitions",
    "create_topics",
    "delete_acls",
    "delete_group_offsets",
    "delete_groups",
    "delete_records",
    "delete_share_group_offsets",
    "delete_topics",
    "delete_topics_by_id",
    "describe_acls",
    "describe_all_topics",
    "describe_classic_groups",
    "describe_client_quotas",
    "describe_cluster",
    "describe_configs",
    "describe_consumer_groups",
    "describe_delegation_token",
    "describe_features",
    "describe_first_topics",
    "describe_log_dirs",
    "describe_metadata_quorum",
    "describe_producers",
    "describe_replica_log_dirs",
    "describe_share_groups",
    "describe_streams_groups",
    "describe_topics",
    "describe_topics_by_id",
    "describe_transactions",
    "describe_user_scram_credentials",
    "elect_leaders",
    "expire_delegation_token",
    "fence_producers",
    "incremental_alter_configs",
    "list_config_resources",
    "list_group_offsets",
    "list_groups",
    "list_offsets",
    "list_partition_reassignments",
    "list_share_group_offsets",
    "list_topics",
    "list_transactions",
    "read_replicas",
    "remove_members",
    "remove_raft_voter",
    "renew_delegation_token",
    "unregister_broker",
    "update_features",
]
