"""Records to JSON and back: the one place that knows both forms.

A frozen dataclass becomes an object with its fields as keys, a tuple an
array, an Enum its value; `None` is null.  A record that is a file of its
own also has the key `schema`.
"""

from __future__ import annotations

import types
import typing
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from plumblib import files, records, schema
from plumblib.errors import UsageError

T = TypeVar("T")

# Record types that are files of their own.  Formats that are not one
# dataclass to one file check themselves with schema.check.
SCHEMAS: dict[type, str] = {
    records.Measurement: records.SCHEMA_MEASUREMENT,
    records.Toolchain: records.SCHEMA_TOOLCHAIN,
    records.Report: records.SCHEMA_VERDICT,
    records.Certificate: records.SCHEMA_AUDIT,
    records.Proven: records.SCHEMA_PROVEN,
}


def save(path: Path, record: Any) -> None:
    """Replace a file by a record of one of the SCHEMAS types."""
    files.write_json(path, to_file(record))


def load(path: Path, kind: type[T]) -> T:
    """Read a record, checked against its JSON Schema.

    Raises UsageError naming the file and the place inside it.
    """
    value = files.load_json(path)
    schema.check(value, SCHEMAS[kind], str(path))
    del value["schema"]
    return decode(kind, value, str(path))


def to_file(record: Any) -> dict[str, Any]:
    """The JSON of a record that is a file of its own, checked as it will
    be when it is read: a file that cannot be read back is never made."""
    kind = type(record)
    value = {"schema": SCHEMAS[kind]} | encode(record)
    schema.check(value, SCHEMAS[kind], f"the {kind.__name__.lower()} made")
    return value


def encode(value: Any) -> Any:
    """The JSON form of a record or a part of one."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {
            part.name: encode(getattr(value, part.name))
            for part in fields(value)
        }
    if isinstance(value, dict):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    if isinstance(value, Fraction):  # one way: the nearest double
        return value.numerator if value.denominator == 1 else float(value)
    return value


def decode(kind: Any, value: Any, where: str) -> Any:
    """The inverse of encode: `value` as a `kind`.

    Strict: unknown and missing keys and wrong types raise UsageError,
    which begins with `where` and the path inside the value.  A field
    with a default may be missing.
    """
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        inner = [a for a in typing.get_args(kind) if a is not type(None)]
        assert len(inner) == 1, f"only X | None can be decoded, not {kind}"
        return None if value is None else decode(inner[0], value, where)
    if is_dataclass(kind):
        return _decode_record(kind, value, where)
    if origin is dict:
        of = typing.get_args(kind)[1]
        return {
            key: decode(of, item, f"{where}: {key}")
            for key, item in _expect(dict, value, where).items()
        }
    if origin is tuple:
        of = typing.get_args(kind)[0]
        return tuple(
            decode(of, item, f"{where}[{i}]")
            for i, item in enumerate(_expect(list, value, where))
        )
    if issubclass(kind, Enum):
        try:
            return kind(value)
        except ValueError as error:
            raise UsageError(f"{where}: {error}") from error
    return _expect(kind, value, where)


def _decode_record(kind: type, value: Any, where: str) -> Any:
    _expect(dict, value, where)
    hints = _hints(kind)
    for key in value:
        if key not in hints:
            raise UsageError(f"{where}: unknown key {key!r}")
    for part in fields(kind):
        required = part.default is MISSING and part.default_factory is MISSING
        if required and part.name not in value:
            raise UsageError(f"{where}: key {part.name!r} is missing")
    return kind(
        **{
            key: decode(hints[key], item, f"{where}: {key}")
            for key, item in value.items()
        }
    )


def _expect(kind: type[T], value: Any, where: str) -> T:
    # bool is an int to Python, not to a record
    if not isinstance(value, kind) or (
        isinstance(value, bool) and kind is not bool
    ):
        raise UsageError(
            f"{where}: expected {kind.__name__}, found {value!r:.80}"
        )
    return value


@lru_cache(maxsize=None)
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)
