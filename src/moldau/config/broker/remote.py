"""Tiered storage: old segments in a remote store."""

from __future__ import annotations

from moldau.config.key import Rank, Scope, decimal, flag, integer, long, maybe_text, text
from moldau.config.settings import Settings
from moldau.config.units import FOREVER, GIB


class RemoteKeys(Settings):
    """Declared by theme; see BrokerSettings."""

    remote_log_storage_system_enable = flag(
        False, "Whether old segments may move to a remote store."
    )
    remote_log_storage_manager_class_name = maybe_text(
        "What stores segments remotely.", empty=False
    )
    remote_log_storage_manager_class_path = maybe_text("Where the code of the remote store lies.")
    remote_log_storage_manager_impl_prefix = text(
        "rsm.config.", "The prefix of the remote store's own settings.", empty=False
    )
    remote_log_metadata_manager_class_name = text(
        "org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager",
        "Keeps which segments are stored.",
        empty=False,
    )
    remote_log_metadata_manager_class_path = maybe_text(
        "Where the code of the remote metadata manager lies."
    )
    remote_log_metadata_manager_impl_prefix = text(
        "rlmm.config.", "The prefix of the remote metadata manager's own settings.", empty=False
    )
    remote_log_metadata_manager_listener_name = maybe_text(
        "The listener that the remote metadata manager reaches brokers by.", empty=False
    )
    remote_log_metadata_custom_metadata_max_bytes = integer(
        128, "The most that a store may note beside a segment.", least=0, rank=Rank.LOW
    )
    remote_log_index_file_cache_total_size_bytes = long(
        GIB,
        "Room on the disk for indexes of remote segments.",
        least=1,
        scope=Scope.CLUSTER,
        rank=Rank.LOW,
    )
    remote_log_index_file_cache_ttl_ms = long(
        900_000, "How long an unused one of them stays.", least=-1, rank=Rank.LOW, internal=True
    )
    remote_log_manager_thread_pool_size = integer(2, "Threads for remote work.", least=1)
    remote_log_manager_copier_thread_pool_size = integer(
        10, "Threads that copy segments to the store.", least=1, scope=Scope.CLUSTER
    )
    remote_log_manager_expiration_thread_pool_size = integer(
        10, "Threads that delete from the store.", least=1, scope=Scope.CLUSTER
    )
    remote_log_manager_follower_thread_pool_size = integer(
        2, "Threads that followers of remote partitions use.", least=1, scope=Scope.CLUSTER
    )
    remote_log_manager_task_interval_ms = long(
        30_000, "How often segments are copied.", least=1, rank=Rank.LOW
    )
    remote_log_manager_task_retry_backoff_ms = long(
        500, "The pause before a failed copy is tried again.", least=1, rank=Rank.LOW, internal=True
    )
    remote_log_manager_task_retry_backoff_max_ms = long(
        30_000,
        "The longest pause before a failed copy is tried again.",
        least=1,
        rank=Rank.LOW,
        internal=True,
    )
    remote_log_manager_task_retry_jitter = decimal(
        0.2,
        "How much the pause before another try varies.",
        least=0,
        most=0.5,
        rank=Rank.LOW,
        internal=True,
    )
    remote_log_manager_copy_max_bytes_per_second = long(
        FOREVER, "How fast segments are copied to the store.", least=1, scope=Scope.CLUSTER
    )
    remote_log_manager_copy_quota_window_num = integer(
        11, "How many windows the quota on copying looks back.", least=1
    )
    remote_log_manager_copy_quota_window_size_seconds = integer(
        1, "The length of a window of the quota on copying.", least=1
    )
    remote_log_manager_fetch_max_bytes_per_second = long(
        FOREVER, "How fast segments are read from the store.", least=1, scope=Scope.CLUSTER
    )
    remote_log_manager_fetch_quota_window_num = integer(
        11, "How many windows the quota on remote reading looks back.", least=1
    )
    remote_log_manager_fetch_quota_window_size_seconds = integer(
        1, "The length of a window of the quota on remote reading.", least=1
    )
    remote_log_reader_threads = integer(
        10, "Threads that answer fetches from the store.", least=1, scope=Scope.CLUSTER
    )
    remote_log_reader_max_pending_tasks = integer(100, "The most such fetches that wait.", least=1)
    remote_fetch_max_wait_ms = integer(
        500, "How long such a fetch may wait.", least=1, scope=Scope.CLUSTER
    )
    remote_list_offsets_request_timeout_ms = long(
        30_000,
        "How long a look-up of an offset in the store may take.",
        least=1,
        scope=Scope.CLUSTER,
    )
    follower_fetch_last_tiered_offset_enable = flag(
        False, "Whether a new follower begins at the last offset in the store.", scope=Scope.CLUSTER
    )
