package solanachain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"tenfold/localnet/venue/internal/relaywire"
)

// Match is the fingerprint of the quoted instructions.
func (c *Chain) Match(steps []relaywire.Step) string {
	items := steps[len(steps)-1].Items
	quoted, ok := items[len(items)-1].Data.(relaywire.SolanaTransaction)
	if !ok {
		return ""
	}
	sum := sha256.New()
	for _, instruction := range quoted.Instructions {
		data, err := hex.DecodeString(instruction.Data)
		if err != nil {
			return ""
		}
		accounts := make([]string, len(instruction.Keys))
		for i, key := range instruction.Keys {
			accounts[i] = key.PublicKey
		}
		addInstruction(sum, instruction.ProgramID, accounts, data)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Fingerprint is that of a transaction on the chain. Compute-budget instructions
// do not count: clients add their own.
func (c *Chain) Fingerprint(ctx context.Context, text string) (string, bool, error) {
	signature, err := solana.SignatureFromBase58(text)
	if err != nil {
		return "", false, nil
	}
	answer, err := c.transaction(ctx, signature)
	if errors.Is(err, rpc.ErrNotFound) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	tx, err := answer.Transaction.GetTransaction()
	if err != nil {
		return "", false, fmt.Errorf("decode transaction of Solana: %w", err)
	}
	sum := sha256.New()
	keys := tx.Message.AccountKeys
	for _, instruction := range tx.Message.Instructions {
		program := keyAt(keys, instruction.ProgramIDIndex)
		if program == solana.ComputeBudget.String() {
			continue
		}
		accounts := make([]string, len(instruction.Accounts))
		for i, index := range instruction.Accounts {
			accounts[i] = keyAt(keys, index)
		}
		addInstruction(sum, program, accounts, instruction.Data)
	}
	return hex.EncodeToString(sum.Sum(nil)), true, nil
}

// keyAt is empty for an account of a lookup table, which no quote of ours uses.
func keyAt(keys solana.PublicKeySlice, index uint16) string {
	if int(index) >= len(keys) {
		return ""
	}
	return keys[index].String()
}

func addInstruction(sum hash.Hash, program string, accounts []string, data []byte) {
	fmt.Fprintf(sum, "%s %v %x\n", program, accounts, data)
}
