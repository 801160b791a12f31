"""What is measured of requests and read by people and programs.

Reading order: traffic (bytes and messages), processor_time, gauges, disk_room, ends_elsewhere,
figures (tables of metrics), families (other exporters' names for them), metrics_page (HTTP),
jolokia (the same as MBeans), otlp_export (the same, sent to a collector).
"""
