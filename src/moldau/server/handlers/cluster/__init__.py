"""The cluster as a whole: what it speaks, its nodes, features and log directories."""
