"""What `./dev` does, on the standard library alone: it runs before anything is installed.

Reading order:

- `environment`  makes `.venv`, once per state of pyproject.toml
- `steps`        runs a command, times it, and prints in one line how it went
- `check`        the steps that CI asks for
- `hot_modules`  what is compiled, and that it is never older than its source
- `commands`     the other words of `./dev`

Inside `.venv`, where the project can be imported:

- `reference`    writes docs/generated
- `show`         prints the codec of a message and version
"""
