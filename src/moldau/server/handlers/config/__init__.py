"""Settings, quotas and what clients measure."""
