"""Metrics that clients push (KIP-714).

Reading order: otlp (their format), telemetry (who pushes what, and when);
get_telemetry_subscriptions, push_telemetry.
"""
