"""scripts/setup and plumb doctor, with other machines played by a PATH."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import foreign
from plumblib import doctor

SCRIPTS = Path(__file__).resolve().parents[1]
TOOLS = ("sh", "awk", "dirname", "env")


class Machine:
    """A folder of programs that is all of PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calls = folder / "calls"
        for name in TOOLS:
            found = shutil.which(name)
            assert found is not None
            (folder / name).symlink_to(found)

    def program(self, name: str, script: str) -> None:
        path = self.folder / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> "{self.calls}"\n'
                        f"{script}\n")
        path.chmod(0o755)

    def packages(self, *missing: str) -> None:
        """dpkg-query as it answers when all but these are installed; the
        last is one that it never heard of."""
        cases = "".join(
            f"{name}) echo 'not-installed {name}';;" for name in missing[:-1]
        ) + "".join(f"{name}) code=1;;" for name in missing[-1:])
        self.program(
            "dpkg-query",
            "shift 3\ncode=0\nfor p in \"$@\"; do case $p in"
            f" {cases} *) echo \"installed $p\";; esac; done\nexit $code",
        )

    def setup(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [SCRIPTS / "setup", *words],
            env={"PATH": str(self.folder)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    def called(self) -> str:
        return self.calls.read_text() if self.calls.exists() else ""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    made.packages()
    made.program("id", "echo 0")
    made.program("apt-get", "exit 0")
    return made


COMMAND = "apt-get install --no-install-recommends -y make valgrind"


def test_nothing_missing_calls_no_package_manager(machine: Machine) -> None:
    done = machine.setup()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "apt-get" not in machine.called()


def test_as_root_it_installs_what_is_missing(machine: Machine) -> None:
    machine.packages("make", "valgrind")
    assert machine.setup().returncode == 0
    calls = [
        line for line in machine.called().splitlines() if "apt-get" in line
    ]
    assert calls[0] == "apt-get -q update"
    assert calls[1].endswith(COMMAND.removeprefix("apt-get "))
    assert len(calls) == 2


def test_other_packages_can_be_named(machine: Machine) -> None:
    machine.packages("make", "nodejs")
    assert machine.setup("nodejs", "gcc").returncode == 0
    assert "-y nodejs\n" in machine.called()


def test_without_root_it_prints_the_command(machine: Machine) -> None:
    machine.packages("make", "valgrind")
    machine.program("id", "echo 1000")
    done = machine.setup()
    assert done.returncode == 2
    assert f"sudo sh -c 'apt-get update && {COMMAND}'" in done.stderr
    assert "apt-get" not in machine.called()


def test_with_sudo_it_uses_it(machine: Machine) -> None:
    machine.packages("make", "valgrind")
    machine.program("id", "echo 1000")
    machine.program("sudo", 'exec "$@"')
    machine.program("true", "exit 0")
    assert machine.setup().returncode == 2, "sudo -n true fails: no terminal"
    machine.program("sudo", 'test "$1" = -n && exit 0; exec "$@"')
    assert machine.setup().returncode == 0
    assert "sudo apt-get -q update" in machine.called()


@pytest.mark.parametrize("fails", ["update", "install"])
def test_without_network_it_prints_the_command(
    machine: Machine, fails: str
) -> None:
    machine.packages("make", "valgrind")
    machine.program("apt-get", f'case "$*" in *{fails}*) exit 100;; esac')
    done = machine.setup()
    assert done.returncode == 2
    assert COMMAND in done.stderr


def test_on_another_system_it_names_what_is_needed(machine: Machine) -> None:
    (machine.folder / "dpkg-query").unlink()
    done = machine.setup()
    assert done.returncode == 2
    assert "valgrind" in done.stderr and "#" not in done.stderr


def test_the_list_names_each_package_once_with_its_purpose() -> None:
    lines = [
        line.split()
        for line in doctor.PACKAGES.read_text().splitlines()
        if line and line[0] != "#"
    ]
    assert all(len(words) > 1 for words in lines)
    names = [words[0] for words in lines]
    assert len(names) == len(set(names)) == len(doctor.wanted_packages())


def test_doctor_names_what_is_missing(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.packages("make", "valgrind")
    machine.program("valgrind", "echo valgrind-3.15.0")
    machine.program("setarch", "echo not permitted >&2; exit 1")
    monkeypatch.setenv("PATH", str(machine.folder))
    found = {check.name: check for check in doctor.examine(None)}
    assert found["package make"].found == "missing: the front door"
    assert "make valgrind" in found["packages"].advice
    assert "3.15.0, 3.19 or later" in found["valgrind"].found
    assert "not permitted" in found["address layout"].found
    assert "seccomp" in found["address layout"].advice
    assert "setpriv: not found" in found["parent-death signal"].found
    assert "git: not found" in found["git"].found
    assert found["project"].well
    assert not any(
        found[name].well
        for name in ("packages", "valgrind", "address layout", "git")
    )


def test_doctor_tells_a_shallow_clone_and_a_missing_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)

    def git(*words: str) -> None:
        who = ("-c", "user.name=A", "-c", "user.email=a@b.example")
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True)

    git("init", "-q", "one")
    for at in ("1", "2"):
        git("-C", "one", "commit", "-q", "--allow-empty", "-m", at)
    git("clone", "-q", "--depth=1", f"file://{tmp_path}/one", "two")
    found = {check.name: check for check in doctor.examine(tmp_path / "two")}
    assert found["git"].advice == "git fetch --unshallow"
    assert "plumb.toml: No such file" in found["project"].found
    full = {check.name: check for check in doctor.examine(tmp_path / "one")}
    assert full["git"].well


def test_doctor_names_data_that_is_missing(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "demo"
    file = foreign.make(root, "static const struct bench_case c[1];").file
    text = file.read_text().replace("timeout", 'data = ["d"]\ntimeout', 1)
    file.write_text(text)
    (root / "package-lock.json").write_text("{}")
    monkeypatch.setenv("PATH", str(machine.folder))
    found = {check.name: check for check in doctor.examine(root)}
    assert "missing" in found["data d"].found
    assert "make setup" in found["data d"].advice
    assert not found["npm"].well
    assert found["npm"].advice.endswith("nodejs npm")
    (root / "d").mkdir()
    found = {check.name: check for check in doctor.examine(root)}
    assert "data d" not in found and found["npm"].well
    machine.program("npm", "exit 1")
    found = {check.name: check for check in doctor.examine(root)}
    assert found["npm"].found == str(machine.folder / "npm")


def test_doctor_sees_copies_as_an_instrument_does() -> None:
    found = {check.name: check for check in doctor.examine(None)}
    seen = found.get("large copies under valgrind")
    if seen is None:
        pytest.skip("another architecture")
    assert seen.found.endswith(" at 786,432 bytes")  # 0xc0000


def test_tiles_that_cannot_be_fetched(machine: Machine) -> None:
    """Ends as the packages do: one command to run, and 2."""
    step = Path("impl/mvt/sample/setup_tiles")
    project = machine.folder / "project"
    script = project / step
    script.parent.mkdir(parents=True)
    shutil.copy(SCRIPTS.parent / step, script)
    machine.program("npm", "echo 'npm error EAI_AGAIN' >&2; exit 1")
    done = subprocess.run(
        [script],
        env={"PATH": str(machine.folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.endswith(
        "run this, then try again:\n"
        "  npm ci --ignore-scripts --no-audit --no-fund\n"
    )
    assert not (project / "data").exists()
