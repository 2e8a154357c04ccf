"""Where the last audit of a checkout is kept, and whether it still holds."""

from __future__ import annotations

import hashlib
from pathlib import Path

from plumblib import codec
from plumblib.project import WORK, Project
from plumblib.records import Certificate

# beside the budgets, once it is accepted
FILE_NAME = "audit.json"


def path(root: Path) -> Path:
    """Where `audit` leaves it, for `accept` to take up."""
    return root / WORK / FILE_NAME


def subject_digest(subject: Path) -> str:
    """What a certificate is about: the bytes of a shared object."""
    return hashlib.sha256(subject.read_bytes()).hexdigest()


def current(project: Project, flavour: str) -> Certificate | None:
    """The last audit, if it was one of the subject as it is built now."""
    subject = project.subject_path(flavour)
    kept = path(project.root)
    if not kept.is_file() or not subject.is_file():
        return None
    found = codec.load(kept, Certificate)
    return found if found.subject == subject_digest(subject) else None
