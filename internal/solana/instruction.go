package solana

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// step is one instruction of a message, its accounts resolved.
type step struct {
	program  solana.PublicKey
	accounts []solana.PublicKey
	data     []byte
}

// resolve turns a message's instructions into steps. Lookup tables must have
// been set and resolved before.
func resolve(m *solana.Message) ([]step, error) {
	all, err := m.GetAllKeys()
	if err != nil {
		return nil, fmt.Errorf("resolve the accounts: %w", err)
	}
	steps := make([]step, len(m.Instructions))
	for i, c := range m.Instructions {
		if int(c.ProgramIDIndex) >= len(m.AccountKeys) { // a program must be a static key
			return nil, fmt.Errorf("instruction %d has no program", i)
		}
		steps[i] = step{program: all[c.ProgramIDIndex], data: c.Data}
		for _, index := range c.Accounts {
			if int(index) >= len(all) {
				return nil, fmt.Errorf("instruction %d names account %d of %d", i, index, len(all))
			}
			steps[i].accounts = append(steps[i].accounts, all[index])
		}
	}
	return steps, nil
}

// expect checks the shape of an instruction: how many accounts and data bytes.
func (s step) expect(accounts, bytes int) error {
	if len(s.accounts) != accounts || len(s.data) != bytes {
		return fmt.Errorf("an instruction of %s has %d accounts and %d bytes instead of %d and %d",
			s.program, len(s.accounts), len(s.data), accounts, bytes)
	}
	return nil
}

func (s step) u64(offset int) uint64 { return binary.LittleEndian.Uint64(s.data[offset:]) }

// Instruction numbers of the native and token programs.
const (
	budgetLimit = 2 // compute budget: u8 kind, u32 units
	budgetPrice = 3 // u8 kind, u64 micro-lamports

	systemTransfer       = 2 // u32 kind, u64 lamports
	systemCreateWithSeed = 3 // see temporary.go

	associatedCreate           = 0
	associatedCreateIdempotent = 1

	tokenTransfer        = 3
	tokenClose           = 9
	tokenTransferChecked = 12
	tokenSyncNative      = 17
	tokenInitialize3     = 18
)

// method is the eight bytes by which Anchor programs tell their instructions apart.
type method [8]byte

func anchor(name string) method {
	sum := sha256.Sum256([]byte("global:" + name))
	return method(sum[:8])
}

// Instructions of the venues' programs: the pool's (localnet/solana/README.md)
// and the depository's, whose form is the public Relay depository's.
var (
	poolSwap      = anchor("swap")           // amount in u64, minimum out u64
	depositNative = anchor("deposit_native") // amount u64, id [32]
	depositToken  = anchor("deposit_token")  // amount u64, id [32]
)

func (s step) is(m method) bool { return len(s.data) >= len(m) && method(s.data[:len(m)]) == m }

// messageBudget reads the compute budget, which must be set by at most one
// instruction for the units and one for the price.
func messageBudget(m *solana.Message) (budget, error) {
	const defaultUnits = 200_000 // per instruction, when nothing is asked
	b := budget{units: uint32(min(len(m.Instructions)*defaultUnits, mostUnits))}
	seen := map[byte]bool{}
	for i, c := range m.Instructions {
		if int(c.ProgramIDIndex) >= len(m.AccountKeys) || m.AccountKeys[c.ProgramIDIndex] != solana.ComputeBudget {
			continue
		}
		if len(c.Accounts) > 0 || len(c.Data) == 0 || seen[c.Data[0]] {
			return b, fmt.Errorf("compute budget instruction %d is malformed or there twice", i)
		}
		seen[c.Data[0]] = true
		switch {
		case c.Data[0] == budgetLimit && len(c.Data) == 5:
			b.units = min(binary.LittleEndian.Uint32(c.Data[1:]), mostUnits)
		case c.Data[0] == budgetPrice && len(c.Data) == 9:
			b.price = binary.LittleEndian.Uint64(c.Data[1:])
		default:
			return b, fmt.Errorf("compute budget instruction %d is of an unknown kind", i)
		}
	}
	if b.price >= mostUnitPrice+distinctPrices {
		return b, fmt.Errorf("%d micro-lamports per compute unit are beyond reason", b.price)
	}
	return b, nil
}
