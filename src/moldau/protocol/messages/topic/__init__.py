"""Topics: what there is, and changing it."""
