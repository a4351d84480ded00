#!/usr/bin/env bash
# Prints the path of a Chromium for the browser tests, and installs one from the
# system's packages where there is none.
set -u

find_chromium() {
	for candidate in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
		"/Applications/Chromium.app/Contents/MacOS/Chromium"; do
		[ -n "$candidate" ] && command -v "$candidate" && return 0
	done
	return 1
}

find_chromium && exit 0

echo "Installing Chromium from the system's packages" >&2
as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo"
if command -v apt-get >/dev/null; then
	$as_root apt-get update -qq >&2
	DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >&2
elif command -v dnf >/dev/null; then
	$as_root dnf install -y -q chromium >&2
elif command -v brew >/dev/null; then
	brew install --cask chromium >&2
fi

find_chromium && exit 0
echo "No Chromium was found or could be installed. Install Chromium or Chrome, or name it in CHROMIUM." >&2
exit 1
