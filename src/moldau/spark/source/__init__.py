"""The format `moldau`: topics as tables and as streams.

source      what Spark asks for: the columns, a reader for batches, one for streams
batch       a whole read is planned once
stream      a read is planned trigger by trigger, from offsets to offsets
positions   where reads start and end, asked of the cluster
ranges      how many offsets a trigger takes, and how they are cut into tasks
pushdown    which offsets a filter leaves
rows        what a task does: offsets in, Arrow batches out
columns     the columns of Spark's own connector, as Arrow has to hand them over
connections one connection for each cluster in each process
"""
