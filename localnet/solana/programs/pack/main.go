// Command pack turns a relocatable eBPF object, as clang makes it, into a shared object that the Solana loader
// accepts (SBPF version 0). It stands in for the linker of Solana's own toolchain, which the local programs don't
// need otherwise.
//
//	pack program.o program.so
//
// What a program may not have: writable data, calls between its own functions that were not inlined, and more than
// one section of code.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack program.o program.so")
		os.Exit(2)
	}
	if err := packFile(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "pack: %v\n", err)
		os.Exit(1)
	}
}

func packFile(from, to string) error {
	object, err := os.Open(from)
	if err != nil {
		return err
	}
	defer object.Close()
	program, err := readObject(object)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return os.WriteFile(to, sharedObject(program), 0o644)
}
