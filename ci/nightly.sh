#!/bin/sh
# SPDX-License-Identifier: MIT
# What is too long for each change: the slow cases, every case under
# perturbations, known regressions in every file, and the report.  What they say goes to build/ci/.
#
# All of them run, whatever the ones before said; the exit code is that of the
# first that was not good.
set -eu
cd "$(dirname "$0")/.."

make setup
mkdir -p build/ci
rm -f build/ci/* build/report/index.html
worst=0

also() {
    code=0
    echo "ci: plumb $*"
    scripts/plumb "$@" || code=$?
    [ "$worst" -ne 0 ] || worst=$code
}

also gate --slow -o build/ci/gate.md -o build/ci/gate.json \
    -o build/ci/gate.xml
also audit -o build/ci/audit.json
also prove -o build/ci/prove.json
also report --slow --wall
cp -f build/report/index.html build/ci/report.html 2>/dev/null ||
    echo "ci: there is no report"
exit "$worst"
