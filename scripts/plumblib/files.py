"""Reading and replacing files without ever leaving half of one."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from plumblib.errors import UsageError


def write_text(path: Path, text: str) -> None:
    """Like write_bytes, in UTF-8."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Replace a file whole, or leave it as it was.

    The data is written beside it, flushed to the disk and renamed over
    it; folders are made.  A crash leaves at most a `.new` file, which no
    reader looks at.  Raises UsageError naming the file.
    """
    write_all({path: data})


def write_all(data: Mapping[Path, bytes]) -> None:
    """Like write_bytes for several files, renamed in the order given once
    all of them are written: where one cannot be, none has changed."""
    ready: dict[Path, Path] = {}
    path = Path()
    try:
        for name, content in data.items():
            path = name.resolve()  # a symbolic link stays one
            path.parent.mkdir(parents=True, exist_ok=True)
            ready[path] = _written_beside(path, content)
        for path, new in ready.items():
            new.replace(path)
            _sync_folder(path.parent)
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be written, what was there is unchanged:"
            f" {error.strerror}"
        ) from error
    finally:
        for new in ready.values():
            new.unlink(missing_ok=True)


def write_json(path: Path, value: Any) -> None:
    """Like write_text, with keys sorted, so that a review is a diff."""
    write_text(path, json_text(value))


def json_text(value: Any) -> str:
    """The one form in which records are written."""
    return (
        json.dumps(
            value,
            sort_keys=True,
            indent=2,
            ensure_ascii=False,
            allow_nan=False,
        )
        + "\n"
    )


def remove(path: Path) -> None:
    """Remove a file or a folder, also one that may not be written to."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
    else:
        shutil.rmtree(path, onerror=_make_writable)


def read_text(path: Path) -> str:
    """A UTF-8 file.  Raises UsageError naming it."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path}: byte {error.start} is not UTF-8"
        ) from error


def read_bytes(path: Path) -> bytes:
    """A file as it is.  Raises UsageError naming it.

    Links can be committed, and what they lead to may have no end.
    """
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise UsageError(f"{path}: is no regular file")
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error


def load_json(path: Path) -> Any:
    """Parse a JSON file; see parse_json."""
    return parse_json(read_text(path), str(path))


def parse_json(text: str, name: str) -> Any:
    """Parse JSON that must be exact: duplicate keys and NaN are refused.

    Raises UsageError with `name`, the line, and what was expected; a
    text that ends too early is told from one that is not JSON.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_refuse_constant,
        )
    except _DuplicateKey as error:
        line = _duplicate_line(text)
        raise UsageError(
            f"{name}:{line}: key {error.key!r} stands twice in one object"
        ) from error
    except json.JSONDecodeError as error:
        if not text.strip():
            what = "is empty, expected JSON"
        elif _ends_early(text, error):
            what = "is truncated: the text ends inside a value"
        else:
            what = f"is not JSON: {error.msg} (column {error.colno})"
        raise UsageError(f"{name}:{error.lineno}: {what}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name}: is not acceptable JSON: {error}") from error


class _DuplicateKey(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen = set()
        for key, _ in pairs:
            if key in seen:
                raise _DuplicateKey(key)
            seen.add(key)
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _ends_early(text: str, error: json.JSONDecodeError) -> bool:
    """The decoder names the start of a string that does not end."""
    return error.pos >= len(text.rstrip()) or error.msg.startswith(
        "Unterminated string"
    )


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?|[{}]', re.DOTALL)


def _duplicate_line(text: str) -> int:
    """The line on which some object repeats a key.

    The json module says which key but not where; this walk is made only
    for a file that is known to have one.
    """
    open_objects: list[set[str]] = []
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word == "{":
            open_objects.append(set())
        elif word == "}":
            open_objects.pop()
        elif token.group(1) is not None:
            key = json.loads(word[: -len(token.group(1))])
            if key in open_objects[-1]:
                return text.count("\n", 0, token.start()) + 1
            open_objects[-1].add(key)
    raise AssertionError("called for a text without a duplicate key")


def _make_writable(
    function: Callable[[str], Any], path: str, error: Any
) -> None:
    """A build may leave folders that nobody can write to."""
    os.chmod(os.path.dirname(path), stat.S_IRWXU)
    os.chmod(path, stat.S_IRWXU)
    function(path)


def _written_beside(path: Path, data: bytes) -> Path:
    """A complete file in the same folder, safe on the disk."""
    handle, name = tempfile.mkstemp(
        prefix=f".{path.name}.", suffix=".new", dir=path.parent
    )
    new = Path(name)
    try:
        with open(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fchmod(out.fileno(), 0o666 & ~_umask())
            os.fsync(out.fileno())
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    return new


def _sync_folder(path: Path) -> None:
    """Make a rename in this folder last."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _umask() -> int:
    """mkstemp makes files private; a record is as public as any other."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
