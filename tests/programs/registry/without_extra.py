"""What a module is like whose package is not installed."""

from moldau.errors import MissingExtraError

raise MissingExtraError("rules in CEL need cel-python: pip install 'moldau[rules]'")
