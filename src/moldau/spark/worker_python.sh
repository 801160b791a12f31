#!/bin/sh
# Python for Spark's workers on this machine: see worker_python.py.
kept=
IFS=:
for place in $PYTHONPATH; do
    case $place in
        */pyspark.zip | */py4j-*-src.zip) ;;
        *) kept=$kept${kept:+:}$place ;;
    esac
done
PYTHONPATH=$kept exec "$MOLDAU_WORKER_PYTHON" "$@"
