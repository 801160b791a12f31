"""Groups of consumers: membership, classic and KIP-848, and committed offsets."""
