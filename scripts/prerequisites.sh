#!/usr/bin/env bash
# Names each missing tool together with the way to get it.
set -u
missing=0

say() {
	echo "Tenfold needs $1. $2" >&2
	missing=1
}

# at_least HAVE WANT: dotted versions
at_least() {
	[ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

if ! command -v go >/dev/null; then
	say "Go 1.26" "Get it from https://go.dev/dl/ (macOS: brew install go)."
elif have=$(go env GOVERSION | sed 's/^go//; s/[^0-9.].*//'); ! at_least "$have" 1.26; then
	say "Go 1.26, this is $have" "Get it from https://go.dev/dl/."
fi

if ! command -v node >/dev/null; then
	say "Node 20.19 or newer" "Get it from https://nodejs.org/ (macOS: brew install node)."
elif have=$(node --version | sed 's/^v//'); ! at_least "$have" 20.19; then
	say "Node 20.19 or newer, this is $have" "Get it from https://nodejs.org/."
fi

command -v npm >/dev/null || say "npm" "It comes with Node: https://nodejs.org/."
exit $missing
