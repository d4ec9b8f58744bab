#!/usr/bin/env bash
# Makes the first corpus of every target in fuzz/corpus.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p fuzz/corpus/{script,tile,api,engines,restore}
find tests/language examples -name '*.nds' -size -8k | while read -r file; do
    cp "$file" "fuzz/corpus/script/$(echo "$file" | tr '/' '_')"
done
find examples -name '*.png' -size -20k | while read -r file; do
    cp "$file" "fuzz/corpus/tile/$(echo "$file" | tr '/' '_')"
done
