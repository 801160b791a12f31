"""What logs and files contain: keys, values, records of the metadata log, control records."""
