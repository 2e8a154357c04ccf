"""The package behind the `plumb` command: one module a step."""
