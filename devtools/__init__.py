"""What `./dev` does, on the standard library alone: it runs before anything is installed.

Reading order:

- `environment`  makes `.venv`, once per state of pyproject.toml
- `steps`        runs a command, times it, and says in one line how it went
- `check`        the steps that CI asks for
- `commands`     the other words of `./dev`
- `reference`    writes docs/generated (inside `.venv`, where the project can be imported)
"""
