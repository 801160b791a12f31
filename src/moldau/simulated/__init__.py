"""The world in a test tube: the five ports in memory, driven by a seed and a virtual clock."""
