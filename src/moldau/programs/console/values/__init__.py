"""Keys and values of records, from bytes to what people read, and masked where they must not.

Pure: schemas come from a registry that the caller asks.

Reading order: decoding (by schemas of a registry), readings (by formats of users before those),
messagepack, masking, values.
"""
