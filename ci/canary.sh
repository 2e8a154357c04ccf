#!/bin/sh
# SPDX-License-Identifier: MIT
# The canary: a clone whose map is made more expensive on purpose must turn
# the gate red.  A gate that no longer sings is no gate.
set -eu
cd "$(dirname "$0")/.."

file=impl/base/dethash.c
folder=build/canary
rm -rf "$folder"
git clone --quiet --no-hardlinks . "$folder"
trap 'rm -rf "$folder"' EXIT

code=0
CANARY=$file "$folder/scripts/plumb" -C "$folder" gate -f '^map/hit/' \
    > build/canary.txt || code=$?
if [ "$code" -eq 3 ]; then
    echo "canary: SKIPPED, the budgets are not comparable on this machine"
elif [ "$code" -ne 1 ] || ! grep -q '^slower' build/canary.txt; then
    cat build/canary.txt
    echo "canary: $file costs more, and the gate ended with $code"
    exit 1
else
    echo "canary: red, as it must be"
fi
