package solana

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
)

// BuildRequest makes one transaction of a venue's instructions. The compute
// budget is ours, from a trial run: the venue's own is dropped, since two of a
// kind are refused by the runtime and its price would be the person's to pay.
func (a *Adapter) BuildRequest(ctx context.Context, r chain.Request) ([]chain.Unsigned, error) {
	from, err := parseAddress(r.From)
	if err != nil {
		return nil, err
	}
	if len(r.Instructions) == 0 || len(r.Calls) > 0 {
		return nil, unsafe(errors.New("the venue gave no instructions"))
	}
	list, err := instructions(r)
	if err != nil {
		return nil, unsafe(err)
	}
	tables, err := keys(r.LookupTables)
	if err != nil {
		return nil, unsafe(err)
	}
	var built chain.Unsigned
	err = a.nodes.OnOne(ctx, func(ctx context.Context, n node.Caller) error {
		built, err = a.buildInstructions(ctx, n, from, list, tables)
		return err
	})
	if err != nil {
		return nil, a.classify(refusedSize(fmt.Errorf("build a venue's transaction on %s: %w", a.chain.Name, err)))
	}
	return []chain.Unsigned{built}, nil
}

// instructions translates a request, without compute-budget instructions.
func instructions(r chain.Request) ([]solana.Instruction, error) {
	var list []solana.Instruction
	for _, i := range r.Instructions {
		program, err := parseAddress(i.ProgramID)
		if err != nil {
			return nil, err
		}
		if program == solana.ComputeBudget {
			continue
		}
		metas := make(solana.AccountMetaSlice, len(i.Accounts))
		for j, account := range i.Accounts {
			key, err := parseAddress(account.Address)
			if err != nil {
				return nil, err
			}
			metas[j] = solana.NewAccountMeta(key, account.Writable, account.Signer)
		}
		list = append(list, solana.NewInstruction(program, metas, i.Data))
	}
	return list, nil
}

func keys(addresses []string) ([]solana.PublicKey, error) {
	list := make([]solana.PublicKey, len(addresses))
	for i, text := range addresses {
		key, err := parseAddress(text)
		if err != nil {
			return nil, err
		}
		list[i] = key
	}
	return list, nil
}

func (a *Adapter) buildInstructions(ctx context.Context, n node.Caller, from solana.PublicKey, list []solana.Instruction, tables []solana.PublicKey) (chain.Unsigned, error) {
	lookup, err := readTables(ctx, n, tables)
	if err != nil {
		return chain.Unsigned{}, err
	}
	valid, err := latestBlockhash(ctx, n)
	if err != nil {
		return chain.Unsigned{}, err
	}
	price, err := unitPrice(ctx, n, writable(list))
	if err != nil {
		return chain.Unsigned{}, err
	}
	b := budget{units: mostUnits, price: leastUnitPrice}
	wire, err := encode(from, append(b.instructions(), list...), valid.Blockhash, lookup)
	if err != nil {
		return chain.Unsigned{}, err
	}
	// Read before it is run: of a shape that we don't sign, the cluster would only
	// say that it fails.
	if _, err := a.describe(wire, lookup); err != nil {
		return chain.Unsigned{}, unsafe(err)
	}
	trial, err := run(ctx, n, wire, nil)
	if err != nil {
		return chain.Unsigned{}, err
	}
	b = budget{units: uint32(min(trial.Units+trial.Units/5+1_000, mostUnits)), price: price}
	if wire, err = encode(from, append(b.instructions(), list...), valid.Blockhash, lookup); err != nil {
		return chain.Unsigned{}, err
	}
	rent, err := rentOf(ctx, n, list)
	if err != nil {
		return chain.Unsigned{}, err
	}
	return a.unsigned(from, wire, valid, b, rent), nil
}

// writable lists the accounts that the instructions write to, for the price.
func writable(list []solana.Instruction) []solana.PublicKey {
	const most = 128 // what nodes take
	var writes solana.PublicKeySlice
	for _, i := range list {
		for _, m := range i.Accounts() {
			if m.IsWritable && len(writes) < most {
				writes.UniqueAppend(m.PublicKey)
			}
		}
	}
	return writes
}

// depositVaultAccount is the place of the vault's token account in a token
// deposit, which opens it at the sender's expense when it is missing.
const depositVaultAccount = 6

// rentOf adds up the rent of the token accounts that the instructions create and
// leave open.
func rentOf(ctx context.Context, n node.Caller, list []solana.Instruction) (uint64, error) {
	var created solana.PublicKeySlice
	for _, i := range list {
		accounts := i.Accounts()
		data, err := i.Data()
		if err != nil {
			return 0, fmt.Errorf("read an instruction: %w", err)
		}
		if i.ProgramID() == solana.SPLAssociatedTokenAccountProgramID && len(accounts) > 1 {
			created.UniqueAppend(accounts[1].PublicKey)
		}
		if kind, known := catalog.KindAt(catalog.SolanaChainID, i.ProgramID().String()); known && kind == catalog.Depository && len(accounts) > depositVaultAccount {
			created.UniqueAppend(accounts[depositVaultAccount].PublicKey)
		}
		if i.ProgramID() == solana.TokenProgramID && len(data) == 1 && data[0] == tokenClose && len(accounts) > 0 {
			created = slices.DeleteFunc(created, accounts[0].PublicKey.Equals)
		}
	}
	if len(created) == 0 {
		return 0, nil
	}
	found, err := readAccounts(ctx, n, created)
	if err != nil {
		return 0, err
	}
	r, err := readRents(ctx, n)
	if err != nil {
		return 0, err
	}
	var rent uint64
	for _, account := range found {
		if !account.isToken() {
			rent += r.token - min(r.token, account.lamports())
		}
	}
	return rent, nil
}

// Layout of an address lookup table account.
const (
	tableKind       = 1  // u32, first field
	tableKeysOffset = 56 // after it, 32 bytes per address
)

// readTables reads address lookup tables from the chain.
func readTables(ctx context.Context, n node.Caller, tables []solana.PublicKey) (map[solana.PublicKey]solana.PublicKeySlice, error) {
	if len(tables) == 0 {
		return nil, nil
	}
	found, err := readAccounts(ctx, n, tables)
	if err != nil {
		return nil, err
	}
	lookup := make(map[solana.PublicKey]solana.PublicKeySlice, len(tables))
	for i, table := range found {
		if table == nil || table.Owner != solana.AddressLookupTableProgramID || len(table.Data) < tableKeysOffset ||
			table.Data[0] != tableKind || (len(table.Data)-tableKeysOffset)%solana.PublicKeyLength != 0 {
			return nil, unsafe(fmt.Errorf("%s is no address lookup table", tables[i]))
		}
		var addresses solana.PublicKeySlice
		for rest := table.Data[tableKeysOffset:]; len(rest) > 0; rest = rest[solana.PublicKeyLength:] {
			addresses = append(addresses, solana.PublicKeyFromBytes(rest[:solana.PublicKeyLength]))
		}
		lookup[tables[i]] = addresses
	}
	return lookup, nil
}

func toBase64(wire []byte) string { return base64.StdEncoding.EncodeToString(wire) }
