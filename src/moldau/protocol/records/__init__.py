"""Record batches: the unit of everything that Kafka stores and sends.

Owns the batch format v2 and the ways into it: headers patched in place, records built and read,
checked by a broker's rules, compressed, and turned into Arrow columns and back. It never opens a
file and never asks for the time; a batch here is a view on bytes that another object owns.

Reading order: batch, record, checksum, compression, builder, moment, validator (refusals,
inspection), control, legacy, arrow. Underneath lie the hot modules, compiled where a C compiler is
there: scan, scan_headers, scan_views, pack, survey.
"""
