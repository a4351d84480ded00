package hd

import (
	"fmt"
	"strconv"
	"strings"
)

// Hardened is added to an index that is written with an apostrophe.
const Hardened uint32 = 1 << 31

// MaxDepth bounds the number of steps in a path.
const MaxDepth = 16

// Path is a list of child indexes from the master key.
type Path []uint32

// ParsePath reads the form m/44'/60'/0'/0/0. There is one text for each path: no
// leading zeros, no other mark for hardened steps, at least one step.
func ParsePath(text string) (Path, error) {
	steps := strings.Split(text, "/")
	if steps[0] != "m" || len(steps) < 2 || len(steps)-1 > MaxDepth {
		return nil, fmt.Errorf("%w: want m/ and 1 to %d steps", ErrPath, MaxDepth)
	}
	path := make(Path, 0, len(steps)-1)
	for _, step := range steps[1:] {
		digits, hardened := strings.CutSuffix(step, "'")
		index, err := strconv.ParseUint(digits, 10, 31)
		if err != nil || strconv.FormatUint(index, 10) != digits {
			return nil, fmt.Errorf("%w: a step is not a number below 2^31", ErrPath)
		}
		if hardened {
			index += uint64(Hardened)
		}
		path = append(path, uint32(index))
	}
	return path, nil
}

// String writes the path in the form that ParsePath reads.
func (p Path) String() string {
	var text strings.Builder
	text.WriteString("m")
	for _, index := range p {
		mark := ""
		if index >= Hardened {
			index -= Hardened
			mark = "'"
		}
		fmt.Fprintf(&text, "/%d%s", index, mark)
	}
	return text.String()
}

// check reports ErrPath for a step that the curve cannot derive: Ed25519 has
// hardened steps only (SLIP-10).
func (p Path) check(curve Curve) error {
	if curve != Ed25519 {
		return nil
	}
	for _, index := range p {
		if index < Hardened {
			return fmt.Errorf("%w: ed25519 derives hardened steps only", ErrPath)
		}
	}
	return nil
}
