package solanachain

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"

	"github.com/gagliardetto/solana-go"
	associatedtoken "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"

	"tenfold/localnet/venue/internal/pricing"
	"tenfold/localnet/venue/internal/trade"
)

// Instruction discriminators: sha256("global:" + name)[:8].
var (
	swapDiscriminator          = mustHex("f8c69e91e17587c8")
	depositNativeDiscriminator = mustHex("0d9e0ddf5fd51c06")
	depositTokenDiscriminator  = mustHex("0b9c60da27a3b413")
)

func mustHex(text string) []byte {
	raw, err := hex.DecodeString(text)
	if err != nil {
		panic("solanachain: bad constant " + text)
	}
	return raw
}

// plan collects the instructions of one transaction of a payer, and the rent
// that stays locked up after it.
type plan struct {
	chain        *Chain
	payer        solana.PublicKey
	instructions []solana.Instruction
	rent         uint64
	// existing are the token accounts that are there already, with balances.
	existing map[solana.PublicKey]*big.Int
}

// newPlan reads which of the accounts exist.
func (c *Chain) newPlan(ctx context.Context, payer solana.PublicKey, accounts ...solana.PublicKey) (*plan, error) {
	p := &plan{chain: c, payer: payer, existing: map[solana.PublicKey]*big.Int{}}
	if len(accounts) == 0 {
		return p, nil
	}
	balances, err := c.tokenBalances(ctx, accounts...)
	if err != nil {
		return nil, err
	}
	for i, balance := range balances {
		if balance != nil {
			p.existing[accounts[i]] = balance
		}
	}
	return p, nil
}

func (p *plan) add(instruction solana.Instruction) {
	p.instructions = append(p.instructions, instruction)
}

// open makes the owner's token account for the mint when it does not exist.
func (p *plan) open(owner, mint, account solana.PublicKey) {
	if p.existing[account] != nil {
		return
	}
	p.add(associatedtoken.NewCreateIdempotentInstruction(p.payer, owner, mint).Build())
	p.rent += tokenAccountRent
	p.existing[account] = new(big.Int)
}

// wrap turns the payer's lamports into tokens of the wrapped account.
func (p *plan) wrap(account solana.PublicKey, lamports uint64) {
	p.add(system.NewTransferInstruction(lamports, p.payer, account).Build())
	p.add(token.NewSyncNativeInstruction(account).Build())
}

// close gives all that a wrapped account of the payer holds, rent included, back
// to him as lamports.
func (p *plan) close(account solana.PublicKey) {
	p.add(token.NewCloseAccountInstruction(account, p.payer, p.payer, nil).Build())
}

// openTemporary makes a wrapped account that lives for this transaction only,
// for when the payer's ordinary one holds tokens that must stay wrapped.
func (p *plan) openTemporary(id trade.RequestID) (solana.PublicKey, error) {
	seed := hex.EncodeToString(id[:16])
	account, err := solana.CreateWithSeed(p.payer, seed, solana.TokenProgramID)
	if err != nil {
		return account, fmt.Errorf("temporary account: %w", err)
	}
	p.add(system.NewCreateAccountWithSeedInstruction(
		p.payer, seed, tokenAccountRent, tokenAccountSize, solana.TokenProgramID, p.payer, account, p.payer).Build())
	p.add(token.NewInitializeAccount3Instruction(p.payer, account, p.chain.wrapped).Build())
	p.rent += tokenAccountRent
	return account, nil
}

// swap trades through one pool, from an account of the payer to any account of
// the other mint.
func (p *plan) swap(hop pricing.Hop, minimum uint64, from, to solana.PublicKey) error {
	for _, pool := range p.chain.programs.Pools {
		if pool.State.String() != hop.Pool.ID {
			continue
		}
		vaultIn, vaultOut := pool.VaultA, pool.VaultB
		if hop.TokenIn == pool.MintB.String() {
			vaultIn, vaultOut = vaultOut, vaultIn
		}
		data := binary.LittleEndian.AppendUint64(append([]byte(nil), swapDiscriminator...), hop.AmountIn.Uint64())
		p.add(solana.NewInstruction(p.chain.programs.Pool, solana.AccountMetaSlice{
			solana.Meta(pool.State), solana.Meta(p.payer).SIGNER(), solana.Meta(from).WRITE(), solana.Meta(to).WRITE(),
			solana.Meta(vaultIn).WRITE(), solana.Meta(vaultOut).WRITE(), solana.Meta(solana.TokenProgramID),
		}, binary.LittleEndian.AppendUint64(data, minimum)))
		return nil
	}
	return fmt.Errorf("pool %s is not in the program list", hop.Pool.ID)
}

// route trades through all hops of a route. In between it asks for exactly what
// the first pool was quoted to pay, because the second is paid that amount.
func (p *plan) route(route pricing.Route, minimum uint64, from, to solana.PublicKey) error {
	for i, hop := range route {
		if i == len(route)-1 {
			return p.swap(hop, minimum, from, to)
		}
		mint, err := solana.PublicKeyFromBase58(hop.TokenOut)
		if err != nil {
			return fmt.Errorf("token of a pool: %w", err)
		}
		between, err := associated(p.payer, mint)
		if err != nil {
			return err
		}
		p.open(p.payer, mint, between)
		if err := p.swap(hop, hop.AmountOut.Uint64(), from, between); err != nil {
			return err
		}
		from = between
	}
	return nil
}

// depositNative and depositToken pay into the depository in the payer's name.
func (p *plan) depositNative(lamports uint64, id trade.RequestID) {
	programs := p.chain.programs
	data := binary.LittleEndian.AppendUint64(append([]byte(nil), depositNativeDiscriminator...), lamports)
	p.add(solana.NewInstruction(programs.Depository, solana.AccountMetaSlice{
		solana.Meta(programs.DepositoryState), solana.Meta(p.payer).SIGNER().WRITE(), solana.Meta(p.payer),
		solana.Meta(programs.DepositoryVault).WRITE(), solana.Meta(solana.SystemProgramID),
	}, append(data, id[:]...)))
}

func (p *plan) depositToken(mint solana.PublicKey, amount uint64, id trade.RequestID) error {
	programs := p.chain.programs
	from, err := associated(p.payer, mint)
	if err != nil {
		return err
	}
	vault, err := associated(programs.DepositoryVault, mint)
	if err != nil {
		return err
	}
	data := binary.LittleEndian.AppendUint64(append([]byte(nil), depositTokenDiscriminator...), amount)
	p.add(solana.NewInstruction(programs.Depository, solana.AccountMetaSlice{
		solana.Meta(programs.DepositoryState), solana.Meta(p.payer).SIGNER().WRITE(), solana.Meta(p.payer),
		solana.Meta(programs.DepositoryVault), solana.Meta(mint), solana.Meta(from).WRITE(), solana.Meta(vault).WRITE(),
		solana.Meta(solana.TokenProgramID), solana.Meta(solana.SPLAssociatedTokenAccountProgramID),
		solana.Meta(solana.SystemProgramID),
	}, append(data, id[:]...)))
	return nil
}
