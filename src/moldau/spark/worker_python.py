"""Which Python runs Spark's workers on this machine.

Spark puts its Python sources before all else on the path of its workers, as zip files without
compiled code. So every process of a worker compiles PySpark, which takes it a second, and a first
query starts four of them one after the other. Where the same PySpark is installed, the script
beside this file takes those files off the path, and is otherwise the interpreter.
"""

from __future__ import annotations

import os
from pathlib import Path

from moldau.platform.system.host import interpreter, name_interpreter
from moldau.platform.system.process import environment, put_variable

__all__ = ["LAUNCHER", "name_worker_python"]

LAUNCHER = str(Path(__file__).with_name("worker_python.sh"))
NAMED = "PYSPARK_PYTHON"
REAL = "MOLDAU_WORKER_PYTHON"


def name_worker_python(*, is_local: bool) -> None:
    """Have Spark run this interpreter, unless the user has named another one."""
    named = environment().get(NAMED)
    if named in (None, LAUNCHER):
        named = LAUNCHER if is_local and _is_installed() else interpreter()
        put_variable(NAMED, named)
        put_variable(REAL, interpreter())
    name_interpreter("PYSPARK_DRIVER_PYTHON")


def _is_installed() -> bool:
    """Whether what Spark would put on the path is what this interpreter has."""
    import pyspark

    installed = Path(pyspark.__file__).parent
    home = environment().get("SPARK_HOME")
    is_same = home is None or Path(home).resolve() == installed.resolve()
    return is_same and os.access(LAUNCHER, os.X_OK)
