"""Where the last audit and the last proof of a checkout are kept, and
whether they still hold."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TypeVar

from plumblib import codec
from plumblib.project import WORK, Project
from plumblib.records import Certificate, Proven

Kind = TypeVar("Kind", Certificate, Proven)

# beside the budgets, once they are accepted
FILE_NAMES: dict[type, str] = {
    Certificate: "audit.json",
    Proven: "prove.json",
}


def path(root: Path, kind: type) -> Path:
    """Where `audit` and `prove` leave it, for `accept` to take up."""
    return root / WORK / FILE_NAMES[kind]


def subject_digest(subject: Path) -> str:
    """What a certificate is about: the bytes of a shared object."""
    return hashlib.sha256(subject.read_bytes()).hexdigest()


def current(project: Project, flavour: str, kind: type[Kind]) -> Kind | None:
    """The last one, if it was of the subject as it is built now."""
    kept = path(project.root, kind)
    if not kept.is_file():
        return None
    found = codec.load(kept, kind)
    return found if found.subject == built(project, flavour) else None


def built(project: Project, flavour: str) -> str:
    """The digest of the subject as it is built now; "" where it is not."""
    subject = project.subject_path(flavour)
    return subject_digest(subject) if subject.is_file() else ""


def accepted(
    project: Project, platform: str, kind: type[Kind]
) -> Kind | None:
    """The one that is committed beside the budgets, of whatever subject."""
    kept = project.root / project.baselines / platform / FILE_NAMES[kind]
    return codec.load(kept, kind) if kept.is_file() else None
