package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// compile builds a relocatable object from C, with the flags of rebuild.sh.
func compile(t *testing.T, source string) *bytes.Reader {
	t.Helper()
	requireClang(t)
	dir := t.TempDir()
	from, to := filepath.Join(dir, "program.c"), filepath.Join(dir, "program.o")
	if err := os.WriteFile(from, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("clang-14", "-target", "bpf", "-mcpu=v1", "-O2", "-ffreestanding", "-fno-builtin",
		"-fno-stack-protector", "-c", from, "-o", to)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("clang-14: %v\n%s", err, out)
	}
	object, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(object)
}

func requireClang(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("clang-14"); err != nil {
		t.Skip("SKIPPED: clang-14 is not installed (Debian package clang-14), so the programs can't be rebuilt here")
	}
}

// The committed programs are what their sources say.
func TestCommittedProgramsEqualRebuild(t *testing.T) {
	t.Parallel()
	requireClang(t)
	output := t.TempDir()
	if out, err := exec.Command("../rebuild.sh", output).CombinedOutput(); err != nil {
		t.Fatalf("rebuild.sh: %v\n%s", err, out)
	}
	for _, name := range []string{"pool.so", "depository.so"} {
		committed, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		rebuilt, err := os.ReadFile(filepath.Join(output, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(committed, rebuilt) {
			t.Errorf("%s differs from its rebuild: run localnet/solana/programs/rebuild.sh", name)
		}
	}
}

const withDataAndCalls = `
	extern void sol_log_(const char *text, unsigned long len);
	extern unsigned long sol_get_stack_height(void);
	unsigned long entrypoint(unsigned char *input) {
		static const char first[] = "first", second[] = "second one";
		sol_log_(first, 5);
		sol_log_(second, 10);
		return sol_get_stack_height();
	}`

// What the loader looks at, read by the standard library.
func TestSharedObject(t *testing.T) {
	t.Parallel()
	p, err := readObject(compile(t, withDataAndCalls))
	if err != nil {
		t.Fatal(err)
	}
	packed := sharedObject(p)
	file, err := elf.NewFile(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if file.Type != elf.ET_DYN || file.Machine != elf.EM_BPF {
		t.Errorf("type %v, machine %v; want a shared eBPF object", file.Type, file.Machine)
	}
	text := file.Section(".text")
	if file.Entry < text.Addr || file.Entry >= text.Addr+text.Size {
		t.Errorf("entry %#x is outside of the code %#x+%#x", file.Entry, text.Addr, text.Size)
	}
	for _, section := range file.Sections[1:] {
		if section.Flags&elf.SHF_ALLOC != 0 && section.Addr != section.Offset {
			t.Errorf("section %s: address %#x is not its offset %#x", section.Name, section.Addr, section.Offset)
		}
	}
	symbols, err := file.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	for table := sectionData(t, file, ".rel.dyn"); len(table) > 0; table = table[16:] {
		at, info := binary.LittleEndian.Uint64(table), binary.LittleEndian.Uint64(table[8:])
		if instruction := packed[at : at+8]; instruction[0] != 0x85 || int32(binary.LittleEndian.Uint32(instruction[4:])) != -1 {
			t.Errorf("no open call at %#x: % x", at, instruction)
		}
		calls = append(calls, symbols[info>>32-1].Name)
	}
	if want := []string{"sol_log_", "sol_log_", "sol_get_stack_height"}; !slices.Equal(calls, want) {
		t.Errorf("calls %q, want %q", calls, want)
	}
	for _, text := range []string{"first", "second one"} {
		if !pointsTo(packed, text) {
			t.Errorf("no instruction loads the address of %q", text)
		}
	}
}

// pointsTo says whether a 64-bit load in the code has the address of the text.
func pointsTo(packed []byte, text string) bool {
	address := uint64(programAddress + bytes.Index(packed, []byte(text)))
	for at := textOffset; at+16 <= len(packed); at += 8 {
		low, high := binary.LittleEndian.Uint32(packed[at+4:]), binary.LittleEndian.Uint32(packed[at+12:])
		if packed[at] == 0x18 && uint64(high)<<32|uint64(low) == address {
			return true
		}
	}
	return false
}

func sectionData(t *testing.T, file *elf.File, name string) []byte {
	t.Helper()
	data, err := file.Section(name).Data()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRefusedObjects(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		source string
		want   error
	}{
		"writable data": {`
			unsigned long counter = 1;
			unsigned long entrypoint(unsigned char *input) { return counter += input[0]; }`, errWritableData},
		"zeroed writable data": {`
			static unsigned long counter[4];
			unsigned long entrypoint(unsigned char *input) { counter[input[0] & 3]++; return counter[input[1] & 3]; }`, errWritableData},
		"a call that is not inlined": {`
			__attribute__((noinline, weak)) unsigned long own(unsigned long x) { return x * 3 + 1; }
			unsigned long entrypoint(unsigned char *input) { return own(input[0]) ^ own(input[1]); }`, errInternalCall},
		"no entrypoint": {`
			unsigned long start(unsigned char *input) { return input[0]; }`, errNoEntrypoint},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := readObject(compile(t, test.source)); !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
		})
	}
}

func TestNotAnObject(t *testing.T) {
	t.Parallel()
	for name, content := range map[string][]byte{
		"text":        []byte("hello"),
		"nothing":     {},
		"wrong class": append([]byte("\x7fELF\x01\x01\x01"), make([]byte, 57)...),
	} {
		if _, err := readObject(bytes.NewReader(content)); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	packed, err := os.ReadFile("../pool.so")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readObject(bytes.NewReader(packed)); err == nil {
		t.Error("a packed program was accepted as an object")
	}
}
