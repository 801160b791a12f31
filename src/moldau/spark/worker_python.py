"""Which Python runs Spark's workers on this machine.

Spark puts its Python sources before all else on the path of its workers, as zip files without
compiled code. So every process of a worker compiles PySpark, which takes it a second, and a first
query starts four of them one after the other. Where the same PySpark is installed, the script
beside this file takes those files off the path, and is otherwise the interpreter.
"""

from __future__ import annotations

from moldau.platform.system.host import interpreter, name_interpreter
from moldau.platform.system.process import environment, is_program, put_variable

__all__ = ["LAUNCHER", "name_worker_python"]

LAUNCHER = __file__.removesuffix(".py") + ".sh"
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

    installed, _, _ = pyspark.__file__.rpartition("/")
    home = environment().get("SPARK_HOME", installed)
    return home.rstrip("/") == installed and is_program(LAUNCHER)
