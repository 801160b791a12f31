"""Configs, quotas and client telemetry."""
