package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"slices"
)

// section is a row of the section table, with its place in the file.
type section struct {
	name   string
	header elf.Section64
}

// writer lays sections out one after the other; the address of an allocated one is its offset in the file.
type writer struct {
	out      bytes.Buffer
	sections []section
}

// sharedObject lays the program out as the loader wants it: ELF header, code, read-only data, dynamic section with
// the relocations of the calls, section table; no program headers.
func sharedObject(p *program) []byte {
	names := syscallNames(p.calls)
	dynstr, dynsym := symbolTables(names)
	relocations := callRelocations(p.calls, names)

	w := &writer{sections: []section{{}}}
	w.out.Write(make([]byte, textOffset))
	w.add(".text", p.text, elf.Section64{
		Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR), Addralign: 8,
	})
	if len(p.rodata) > 0 {
		w.add(".rodata", p.rodata, elf.Section64{
			Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC), Addralign: rodataAlignment,
		})
	}
	dynamicIndex := uint32(len(w.sections))
	dynamicOffset := align(uint64(w.out.Len()), 8)
	w.add(".dynamic", dynamicTable(dynamicOffset, dynsym, dynstr, relocations), elf.Section64{
		Type: uint32(elf.SHT_DYNAMIC), Flags: uint64(elf.SHF_ALLOC | elf.SHF_WRITE), Link: dynamicIndex + 2, Addralign: 8, Entsize: 16,
	})
	w.add(".dynsym", dynsym, elf.Section64{
		Type: uint32(elf.SHT_DYNSYM), Flags: uint64(elf.SHF_ALLOC), Link: dynamicIndex + 2, Info: 1, Addralign: 8, Entsize: elf.Sym64Size,
	})
	w.add(".dynstr", dynstr, elf.Section64{Type: uint32(elf.SHT_STRTAB), Flags: uint64(elf.SHF_ALLOC), Addralign: 1})
	w.add(".rel.dyn", relocations, elf.Section64{
		Type: uint32(elf.SHT_REL), Flags: uint64(elf.SHF_ALLOC), Link: dynamicIndex + 1, Addralign: 8, Entsize: 16,
	})
	return w.finish(textOffset + p.entry)
}

func syscallNames(calls []call) []string {
	var names []string
	for _, call := range calls {
		if !slices.Contains(names, call.syscall) {
			names = append(names, call.syscall)
		}
	}
	return names
}

// symbolTables gives the dynamic string and symbol tables: an undefined global for each name.
func symbolTables(names []string) (dynstr, dynsym []byte) {
	dynstr = []byte{0}
	dynsym = make([]byte, elf.Sym64Size)
	for _, name := range names {
		symbol := elf.Sym64{Name: uint32(len(dynstr)), Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_NOTYPE)}
		dynsym = append(dynsym, encode(symbol)...)
		dynstr = append(append(dynstr, name...), 0)
	}
	return dynstr, dynsym
}

func callRelocations(calls []call, names []string) []byte {
	var table []byte
	for _, call := range calls {
		symbol := uint64(slices.Index(names, call.syscall) + 1)
		table = append(table, encode(elf.Rel64{Off: textOffset + call.offset, Info: symbol<<32 | uint64(relocationCall)})...)
	}
	return table
}

// dynamicTable says where the tables are that follow it in the file in the order of the parameters.
func dynamicTable(offset uint64, dynsym, dynstr, relocations []byte) []byte {
	const entries = 6
	symbols := offset + entries*16
	strings := symbols + uint64(len(dynsym))
	return encode([entries]elf.Dyn64{
		{Tag: int64(elf.DT_REL), Val: align(strings+uint64(len(dynstr)), 8)},
		{Tag: int64(elf.DT_RELSZ), Val: uint64(len(relocations))},
		{Tag: int64(elf.DT_RELENT), Val: 16},
		{Tag: int64(elf.DT_SYMTAB), Val: symbols},
		{Tag: int64(elf.DT_STRTAB), Val: strings},
		{Tag: int64(elf.DT_NULL)},
	})
}

func (w *writer) pad(alignment uint64) {
	w.out.Write(make([]byte, align(uint64(w.out.Len()), alignment)-uint64(w.out.Len())))
}

func (w *writer) add(name string, data []byte, header elf.Section64) {
	w.pad(header.Addralign)
	header.Off, header.Size = uint64(w.out.Len()), uint64(len(data))
	if header.Flags&uint64(elf.SHF_ALLOC) != 0 {
		header.Addr = header.Off
	}
	w.out.Write(data)
	w.sections = append(w.sections, section{name, header})
}

// finish adds the names of the sections, their table, and the ELF header in the room left for it.
func (w *writer) finish(entry uint64) []byte {
	const namesSection = ".shstrtab"
	var names []byte
	var offsets []uint32
	for _, s := range append(slices.Clone(w.sections), section{name: namesSection}) {
		offsets = append(offsets, uint32(len(names)))
		names = append(append(names, s.name...), 0)
	}
	w.add(namesSection, names, elf.Section64{Type: uint32(elf.SHT_STRTAB), Addralign: 1})
	w.pad(8)
	tableOffset := uint64(w.out.Len())
	for i, s := range w.sections {
		s.header.Name = offsets[i]
		w.out.Write(encode(s.header))
	}
	out := w.out.Bytes()
	copy(out, encode(elf.Header64{
		Ident: [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type:  uint16(elf.ET_DYN), Machine: uint16(elf.EM_BPF), Version: uint32(elf.EV_CURRENT),
		Entry: entry, Phoff: textOffset, Shoff: tableOffset, Ehsize: textOffset, Phentsize: 56, Shentsize: 64,
		Shnum: uint16(len(w.sections)), Shstrndx: uint16(len(w.sections) - 1),
	}))
	return out
}

// encode writes fixed-size values as they stand in the file.
func encode(value any) []byte {
	var out bytes.Buffer
	if err := binary.Write(&out, binary.LittleEndian, value); err != nil {
		panic(err) // only a type of variable size fails
	}
	return out.Bytes()
}
