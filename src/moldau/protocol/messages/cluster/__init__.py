"""The cluster as a whole: versions, nodes, features, elections, log directories."""
