"""What concerns the cluster as a whole: producer ids, features, quotas."""
