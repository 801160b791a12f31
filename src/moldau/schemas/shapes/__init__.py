"""Schemas of any language in the words of programs: columns of Spark and Arrow, classes of Python.

Each language gives the shapes of its schema: scalars, lists, maps, choices, structs. Each form is
written from shapes alone, so that three languages and four forms are seven files and not twelve.
Pure: text to text, nothing of Spark, Arrow or pydantic is imported.

Reading order: model (the shapes), of_avro, of_json_schema, of_protobuf (what a schema has), budget
(how much is written of one), columns (Spark and Arrow), classes (dataclasses and pydantic),
form_names, forms (the table of them).
"""
