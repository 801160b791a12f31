"""Putting batches at the end of a log, as leader or as follower, and what follows from it.

Owns the order of one append: judge, note the epoch, roll, write, index, move on, flush. An
ordinary batch takes a flat path, and all else the plain one; both leave the same bytes.

Reading order: result, rolling, flushing, plain, flat, hot, own.
"""
