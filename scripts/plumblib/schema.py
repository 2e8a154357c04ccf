"""Checks records against the JSON Schemas in `schemas/`.

A record's `schema` key is "plumb-NAME/VERSION"; its JSON Schema is
`schemas/NAME.json`.  A schema may refer to another by file name.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from plumblib import files
from plumblib.errors import NotMeasured, UsageError

FOLDER = Path(__file__).resolve().parent / "schemas"

_memory: list[Path] = []  # where it is kept what was found good


def remember_in(folder: Path) -> None:
    """From now on keep there, as the name of an empty file, the digest of
    each value that was found good, and do not look at it again: loading
    the checker takes longer than to recall a measurement."""
    _memory[:] = [folder]


def check(value: Any, schema: str, name: str) -> None:
    """Refuse a parsed file that is not a record of this schema.

    The message begins with `name` (the file) and names the place inside
    the file.  Raises UsageError.
    """
    found = value.get("schema") if isinstance(value, dict) else None
    if found != schema:
        raise UsageError(
            f"{name}: schema is {found!r}, this plumb reads {schema!r};"
            " make the file again with this version"
        )
    known = [folder / _mark(value) for folder in _memory]
    if any(path.exists() for path in known):
        return
    errors = sorted(
        _validator(schema).iter_errors(value),
        key=lambda error: (len(error.absolute_path), str(error.json_path)),
    )
    if errors:
        raise UsageError(f"{name}: {_told(errors[0])}")
    for path in known:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def _mark(value: Any) -> str:
    """The name under which a good value is remembered."""
    text = json.dumps(value, sort_keys=True)
    digest = hashlib.sha256(f"{_texts()}\0{text}".encode())
    return f"good-{digest.hexdigest()[:32]}"


@lru_cache(maxsize=None)
def _texts() -> str:
    """All schemas: one that changes makes everything new."""
    return "\0".join(
        files.read_text(path) for path in sorted(FOLDER.glob("*.json"))
    )


def _told(error: Any) -> str:
    """One schema violation: where, and what was expected."""
    where = "".join(
        f"[{step}]" if isinstance(step, int) else f".{step}"
        for step in error.absolute_path
    ).lstrip(".")
    text = str(error.message)
    if len(text) > 300:
        text = f"{text[:300]} ..."
    return f"{where}: {text}" if where else text


@lru_cache(maxsize=None)
def _validator(schema: str) -> Any:
    try:
        import jsonschema
    except ImportError as error:
        raise NotMeasured(
            "python3-jsonschema is missing; `plumb doctor` says how to"
            " install it"
        ) from error
    # JSON Schema lets 1.0 pass for an integer; a count is an int.
    base = jsonschema.Draft202012Validator
    exact = jsonschema.validators.extend(
        base,
        type_checker=base.TYPE_CHECKER.redefine(
            "integer",
            lambda _, value: isinstance(value, int)
            and not isinstance(value, bool),
        ),
    )
    store = {
        path.as_uri(): files.load_json(path)
        for path in sorted(FOLDER.glob("*.json"))
    }
    name = schema.removeprefix("plumb-").partition("/")[0]
    uri = (FOLDER / f"{name}.json").as_uri()
    resolver = jsonschema.RefResolver(uri, store[uri], store=store)
    return exact(store[uri], resolver=resolver)
