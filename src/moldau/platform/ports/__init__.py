"""Where the world comes in: the five ports.

Everything that a program can ask of the world is one of five protocols, and nothing else in the
project asks for it in another way (a tidy test sees to that). Two packages implement them under
the same five file names: `moldau.platform.system` for real, `moldau.platform.simulated` for tests
with seeds.

Reading order: clock, randomness, files, network, tls (of a network), tasks.
"""
