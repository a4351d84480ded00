#!/usr/bin/env bash
# Forgets the state of the stack on this machine: reset.sh FOLDER. It removes
# only what Tenfold puts there, never the rest of a folder named by mistake.
set -eu
folder=$1

running=$(cat "$folder/lock" 2>/dev/null || true)
if [ -n "$running" ] && kill -0 "$running" 2>/dev/null; then
	echo "Tenfold is running on $folder (process $running); stop it first" >&2
	exit 1
fi

rm -rf "$folder/app" "$folder/custody" "$folder/localnet" "$folder/lock"
rmdir "$folder" 2>/dev/null || true
echo "Forgot every account, balance and movement in $folder"
