"""The cluster's metadata: what the records of `__cluster_metadata-0` add up to.

Owns the image (one immutable value per offset), deltas between images, how records lie in the log,
feature levels, and snapshots. It decides nothing and waits for nothing: which records are written
is the controller's word, and that they are committed is the quorum's.

Reading order: features, record_codec, topics, cluster, settings, security, image, delta,
loader, snapshot, snapshot_file, activation.
"""
