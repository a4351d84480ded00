package main

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	// The loader maps the file's read-only part at this address.
	programAddress = 0x1_0000_0000
	// Code begins right behind the file's ELF header.
	textOffset      = 64
	rodataAlignment = 16
	entrypointName  = "entrypoint"

	// Relocation types of clang's eBPF backend.
	relocationData = elf.R_X86_64(1)  // R_BPF_64_64: a 64-bit immediate split over two instructions
	relocationCall = elf.R_X86_64(10) // R_BPF_64_32: the target of a call
)

var (
	errWritableData = errors.New("writable data is not allowed")
	errInternalCall = errors.New("calls between the program's own functions are not supported: inline them")
	errNoEntrypoint = errors.New("no function " + entrypointName)
)

// program is what the shared object is made of: code with final addresses, and the calls for the loader to bind.
type program struct {
	text   []byte
	rodata []byte
	entry  uint64 // offset of the entrypoint in text
	calls  []call // in the order of text
}

// call is a place in the code that calls a function of the runtime.
type call struct {
	offset  uint64 // of the instruction in text
	syscall string
}

// readObject reads a relocatable object and resolves what can be resolved before loading.
func readObject(r io.ReaderAt) (*program, error) {
	file, err := elf.NewFile(r)
	if err != nil {
		return nil, fmt.Errorf("not an ELF object: %w", err)
	}
	if file.Machine != elf.EM_BPF || file.Type != elf.ET_REL || file.ByteOrder != binary.LittleEndian {
		return nil, fmt.Errorf("not a little-endian eBPF object: %v, %v", file.Machine, file.Type)
	}
	textIndex := slices.IndexFunc(file.Sections, func(s *elf.Section) bool { return s.Name == ".text" })
	if textIndex < 0 {
		return nil, errNoEntrypoint
	}
	text, err := file.Sections[textIndex].Data()
	if err != nil {
		return nil, fmt.Errorf("read code: %w", err)
	}
	p := &program{text: text}
	rodataOffsets, err := p.layOutData(file)
	if err != nil {
		return nil, err
	}
	symbols, err := file.Symbols()
	if err != nil {
		return nil, fmt.Errorf("read symbols: %w", err)
	}
	if err := p.findEntry(symbols, elf.SectionIndex(textIndex)); err != nil {
		return nil, err
	}
	return p, p.relocate(file, textIndex, symbols, rodataOffsets)
}

// layOutData joins the read-only sections and returns where each begins in the shared object.
func (p *program) layOutData(file *elf.File) (map[elf.SectionIndex]uint64, error) {
	start := align(textOffset+uint64(len(p.text)), rodataAlignment)
	offsets := make(map[elf.SectionIndex]uint64)
	for i, section := range file.Sections {
		if section.Flags&elf.SHF_ALLOC == 0 || section.Size == 0 || section.Name == ".text" {
			continue
		}
		if section.Flags&elf.SHF_WRITE != 0 {
			return nil, fmt.Errorf("section %s: %w", section.Name, errWritableData)
		}
		if !strings.HasPrefix(section.Name, ".rodata") {
			return nil, fmt.Errorf("section %s is not supported", section.Name)
		}
		data, err := section.Data()
		if err != nil {
			return nil, fmt.Errorf("read section %s: %w", section.Name, err)
		}
		p.rodata = append(p.rodata, make([]byte, align(uint64(len(p.rodata)), rodataAlignment)-uint64(len(p.rodata)))...)
		offsets[elf.SectionIndex(i)] = start + uint64(len(p.rodata))
		p.rodata = append(p.rodata, data...)
	}
	return offsets, nil
}

func (p *program) findEntry(symbols []elf.Symbol, text elf.SectionIndex) error {
	for _, symbol := range symbols {
		if symbol.Name == entrypointName && symbol.Section == text {
			p.entry = symbol.Value
			return nil
		}
	}
	return errNoEntrypoint
}

// relocate writes the addresses of read-only data into the code and collects the calls of runtime functions.
func (p *program) relocate(file *elf.File, text int, symbols []elf.Symbol, rodata map[elf.SectionIndex]uint64) error {
	for _, section := range file.Sections {
		if section.Type != elf.SHT_REL || int(section.Info) != text {
			continue
		}
		table, err := section.Data()
		if err != nil {
			return fmt.Errorf("read relocations: %w", err)
		}
		for ; len(table) >= 16; table = table[16:] {
			offset := binary.LittleEndian.Uint64(table)
			info := binary.LittleEndian.Uint64(table[8:])
			index := int(info>>32) - 1 // Symbols leaves out the null symbol
			if index < 0 || index >= len(symbols) || offset+16 > uint64(len(p.text)) {
				return fmt.Errorf("relocation at %#x is out of range", offset)
			}
			if err := p.apply(offset, elf.R_X86_64(info&0xffffffff), symbols[index], rodata); err != nil {
				return fmt.Errorf("relocation at %#x: %w", offset, err)
			}
		}
	}
	slices.SortFunc(p.calls, func(a, b call) int { return int(a.offset) - int(b.offset) })
	return nil
}

func (p *program) apply(offset uint64, kind elf.R_X86_64, symbol elf.Symbol, rodata map[elf.SectionIndex]uint64) error {
	low, high := p.text[offset+4:offset+8], p.text[offset+12:offset+16]
	switch kind {
	case relocationData:
		start, ok := rodata[symbol.Section]
		if !ok {
			return fmt.Errorf("%q is not in read-only data", symbol.Name)
		}
		address := programAddress + start + symbol.Value + uint64(binary.LittleEndian.Uint32(low))
		binary.LittleEndian.PutUint32(low, uint32(address))
		binary.LittleEndian.PutUint32(high, uint32(address>>32))
	case relocationCall:
		if symbol.Section != elf.SHN_UNDEF {
			return errInternalCall
		}
		binary.LittleEndian.PutUint32(low, 0xffffffff) // the loader fills in the function
		p.calls = append(p.calls, call{offset, symbol.Name})
	default:
		return fmt.Errorf("type %d is not supported", kind)
	}
	return nil
}

func align(n, to uint64) uint64 {
	return (n + to - 1) / to * to
}
