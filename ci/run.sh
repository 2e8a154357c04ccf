#!/bin/sh
# SPDX-License-Identifier: MIT
# What CI runs: every test, the canary, then the gate.  Verdicts go to build/ci/.
#
# `plumb` is called directly where its exit code decides: make has one code
# for every failure.
set -eu
cd "$(dirname "$0")/.."

make test
ci/canary.sh

mkdir -p build/ci
rm -f build/ci/*
code=0
scripts/plumb gate -o build/ci/gate.md -o build/ci/gate.json \
    -o build/ci/gate.xml || code=$?
if [ "$code" -ne 3 ]; then
    exit "$code"
fi

echo "ci: no answer from the committed budgets on this machine (see above);"
echo "ci: comparing with the merge base instead, both sides built here"
scripts/plumb vs-base -o build/ci/vs-base.md -o build/ci/vs-base.json \
    -o build/ci/vs-base.xml
