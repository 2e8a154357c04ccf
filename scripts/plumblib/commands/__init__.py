"""The commands of `plumb`, one module each; see `plumblib.cli`."""
