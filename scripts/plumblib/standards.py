"""By what a head is judged: limits and budgets, here or at a commit."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from plumblib import baseline, files, project
from plumblib.baseline import Baseline
from plumblib.claims import bounds
from plumblib.errors import NoBase, UsageError
from plumblib.git import Repository, changed_since
from plumblib.limits import LimitTable
from plumblib.project import FILE_NAME, Project
from plumblib.records import Claim, Measurement

ACCEPT_VARIABLE = "PLUMB_ACCEPT_GATE_CHANGE"


@dataclass(frozen=True)
class Standards:
    """Limits, the budgets of one platform, and for which platforms there
    are budgets at all."""

    limits: LimitTable
    budgets: Mapping[str, Baseline]
    platforms: tuple[str, ...]


def here(found: Project, platform: str) -> Standards:
    """Those of the working tree.  Raises UsageError for a bad file."""
    folder = found.root / found.baselines
    return Standards(
        LimitTable(found.limits),
        baseline.load(folder / platform),
        tuple(
            sorted(
                path.parent.name
                for path in folder.glob(f"*/{baseline.TOOLCHAIN_FILE}")
            )
        ),
    )


def at(
    repository: Repository, commit: str, found: Project, platform: str
) -> Standards:
    """Those of a commit; `found` is the project as it was there."""
    platforms = tuple(
        name
        for name in repository.names(commit, found.baselines)
        if repository.read(
            commit, f"{found.baselines}/{name}/{baseline.TOOLCHAIN_FILE}"
        )
        is not None
    )
    budgets: Mapping[str, Baseline] = {}
    if platform in platforms:
        folder = f"{found.baselines}/{platform}"
        texts = {
            name: repository.read(commit, f"{folder}/{name}") or ""
            for name in repository.names(commit, folder)
            if name.endswith(".json")
        }
        budgets = baseline.parse(texts, Path(f"{commit[:7]}:{folder}"))
    return Standards(LimitTable(found.limits), budgets, platforms)


def project_at(
    repository: Repository, commit: str, head: Project
) -> Project:
    """The project as its plumb.toml describes it at a commit, with the
    root of head.  Raises NoBase where it cannot be read."""
    text = repository.read(commit, FILE_NAME)
    if text is None:
        raise NoBase(
            f"the base {commit[:7]} has no {FILE_NAME}: it is from before"
            " this project was measured. Compare with a later commit"
            " (BASE=...), or with the committed budgets (`plumb gate`)."
        )
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        files.write_text(root / FILE_NAME, text)
        try:
            found = project.load(root)
        except UsageError as error:
            told = str(error).replace(f"{root}/", f"{commit[:7]}:")
            raise NoBase(
                f"the base {commit[:7]} is described in a way that this"
                f" plumb does not read: {told}\nCompare with a later commit"
                " (BASE=...)."
            ) from error
    return replace(found, root=head.root)


@dataclass(frozen=True)
class GateChange:
    """What a change does to its own judge."""

    files: tuple[str, ...]
    base: str
    binding: bool  # in CI, and nobody has agreed to it
    claims: tuple[Claim, ...] = ()  # of the base, no longer made as tightly

    def notice(self) -> str:
        """For people; empty when the judge is the same on both sides."""
        what = []
        if self.files:
            named = ", ".join(self.files[:5])
            rest = len(self.files) - 5
            named += f" and {rest:,} more" if rest > 0 else ""
            what.append(f"touches {named}")
        if self.claims:
            named = "; ".join(
                f"{one.id}: {bounds(one)}, {one.against}"
                for one in self.claims
            )
            what.append(f"no longer makes claims: {named}")
        if not what:
            return ""
        told = "gate-changed: this change judges itself, it "
        told += f"{'; it '.join(what)}."
        if self.binding:
            told += (
                " Limits, budgets and claims are those of"
                f" {self.base[:7]}, and this fails until a maintainer agrees:"
                " run it with"
                f" {ACCEPT_VARIABLE}=1 (ci/README.md)."
            )
        return told


def gate_change(
    repository: Repository, commit: str, head: Project, base: Project
) -> GateChange:
    """Compare what judges on both sides.  What base counts as the judge
    counts, or a change could begin by taking itself off the list."""
    watched = {
        FILE_NAME,
        *(head.baselines, base.baselines),
        *(*head.gate_files, *base.gate_files),
    }
    changed = changed_since(repository, commit, tuple(sorted(watched)))
    binding = bool(changed) and is_binding()
    return GateChange(tuple(changed), commit, binding)


def is_binding() -> bool:
    """Whether a change of the judge needs a maintainer who agrees."""
    return in_ci() and os.environ.get(ACCEPT_VARIABLE) != "1"


def in_ci() -> bool:
    """Whether this is a CI run, as most CI systems say it."""
    return os.environ.get("CI", "").lower() in ("true", "1")


def agreed(
    base: Measurement,
    head: Measurement,
    before: Mapping[str, Baseline],
    after: Mapping[str, Baseline],
) -> frozenset[str]:
    """Cases whose other work, removal or slowness was accepted: the
    committed budgets say so, those of head against those of base."""
    old = baseline.results(before)
    new = baseline.results(after)
    same_work = {
        case_id
        for case_id, case in head.cases.items()
        if case_id in new
        and (new[case_id].input, new[case_id].work) == (case.input, case.work)
    }
    removed = {
        case_id
        for case_id in set(base.cases) - set(head.declared)
        if case_id in old and case_id not in new
    }
    slow = {case_id for case_id, case in new.items() if case.info.slow}
    return frozenset(same_work | removed | (slow - set(head.cases)))
