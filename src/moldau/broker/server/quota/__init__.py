"""What clients may use: bytes, time of the processor, changes of the metadata.

Reading order: windows (a rate over time), exemptions, quotas; describe_client_quotas.
"""
