#!/bin/sh
# published.sh PYTHON PROGRAM...: runs the published vectors that this machine has.
set -eu
python=$1
shift
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
"$python" "$(dirname "$0")/convert.py" >"$lines"
"$@" --engines "$lines"
