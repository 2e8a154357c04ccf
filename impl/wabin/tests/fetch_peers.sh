#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetch the two npm packages that test_wabin_oracle.c compares with, and
# unpack them below a folder.  Nothing of them is run here.
#
# usage: fetch_peers.sh FOLDER
set -eu

folder=$1
mkdir -p "$folder"
for package in baileys@7.0.0-rc14 whatsapp-rust-bridge@0.5.5; do
    name=${package%@*}
    archive=$(npm pack --silent --ignore-scripts \
        --pack-destination "$folder" "$package")
    rm -rf "${folder:?}/$name"
    mkdir "$folder/$name"
    tar -xzf "$folder/$archive" -C "$folder/$name" --strip-components=1
    rm "$folder/$archive"
    echo "$folder/$name: $package"
done
