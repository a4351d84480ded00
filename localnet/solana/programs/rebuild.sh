#!/bin/sh
# Rebuilds the programs of the local Solana network from their C sources: pool.so and depository.so, into the
# directory given (default: beside the sources). Needs clang 14 (Debian package clang-14) and Go. The result depends
# on the compiler's version, so another one is not used.
set -eu

sources=$(cd "$(dirname "$0")" && pwd)
output=${1:-$sources}
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

for program in pool depository; do
  clang-14 -target bpf -mcpu=v1 -O2 -Wall -Wextra -Werror -ffreestanding -fno-builtin -fno-stack-protector \
    -c "$sources/$program.c" -o "$objects/$program.o"
  (cd "$sources" && go run ./pack "$objects/$program.o" "$objects/$program.so")
  mv "$objects/$program.so" "$output/$program.so"
done
