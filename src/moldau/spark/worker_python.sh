#!/bin/sh
# Python for Spark's workers on this machine: see worker_python.py.
kept=
IFS=:
for place in $PYTHONPATH; do
    case $place in
        */pyspark.zip | */py4j-*-src.zip | */jars/spark-core_*.jar) ;;
        *) kept=$kept${kept:+:}$place ;;
    esac
done
export PYTHONPATH="$kept"
if [ -n "$MOLDAU_WORKER_SOCKET" ]; then
    client=${0%/*}/../platform/system/fork_client.py
    exec "$MOLDAU_WORKER_PYTHON" -I -S "$client" "$MOLDAU_WORKER_SOCKET" "$MOLDAU_WORKER_PYTHON" "$@"
fi
exec "$MOLDAU_WORKER_PYTHON" "$@"
