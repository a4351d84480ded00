// Package solanachain is the venue's hand on Solana: it reads pools and
// balances, writes the instructions that users sign, watches the depository and
// pays from the solver's account. It must not decide what to pay, and it never
// prints the solver's key.
//
// Layer: part of the local network's venue.
package solanachain

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/big"
	"os"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"tenfold/catalog"
	"tenfold/localnet/venue/internal/pricing"
	"tenfold/localnet/venue/internal/trade"
)

// Network constants of the classic token program and of the runtime, in lamports
// and bytes.
const (
	signatureFee     = 5_000
	tokenAccountRent = 2_039_280
	emptyAccountRent = 890_880
	tokenAccountSize = 165
	amountOffset     = 64 // of the balance in a token account
)

// Programs are the local network's programs and their accounts.
type Programs struct {
	Pool            solana.PublicKey `json:"pool"`
	Depository      solana.PublicKey `json:"depository"`
	DepositoryState solana.PublicKey `json:"depositoryState"`
	DepositoryVault solana.PublicKey `json:"depositoryVault"`
	Pools           []PoolAccounts   `json:"pools"`
}

// PoolAccounts are one pool of the pool program.
type PoolAccounts struct {
	State  solana.PublicKey `json:"state"`
	MintA  solana.PublicKey `json:"mintA"`
	MintB  solana.PublicKey `json:"mintB"`
	VaultA solana.PublicKey `json:"vaultA"`
	VaultB solana.PublicKey `json:"vaultB"`
	FeeBps int64            `json:"feeBps"`
}

// LoadPrograms reads programs.json of the local Solana network.
func LoadPrograms(path string) (Programs, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return Programs{}, fmt.Errorf("read Solana programs: %w", err)
	}
	var programs Programs
	if err := json.Unmarshal(raw, &programs); err != nil {
		return Programs{}, fmt.Errorf("decode %s: %w", path, err)
	}
	return programs, nil
}

// Chain is Solana as the venue sees it.
type Chain struct {
	facts    catalog.Chain
	client   *rpc.Client
	programs Programs
	key      solana.PrivateKey
	wrapped  solana.PublicKey
}

// New makes the chain of the node at rpcURL. It does not connect yet.
func New(facts catalog.Chain, rpcURL string, programs Programs, key solana.PrivateKey) *Chain {
	return &Chain{facts: facts, client: rpc.New(rpcURL), programs: programs, key: key, wrapped: solana.WrappedSol}
}

// Close ends the connection.
func (c *Chain) Close() { _ = c.client.Close() }

// Solver is the address that pays.
func (c *Chain) Solver() string { return c.key.PublicKey().String() }

// ParseAddress accepts base58 of exactly 32 bytes.
func (c *Chain) ParseAddress(text string) (string, bool) {
	key, err := solana.PublicKeyFromBase58(text)
	if err != nil || key.String() != text {
		return "", false
	}
	return text, true
}

// Balance reads the owner's balance of an asset in base units: lamports, or what
// the associated token account holds.
func (c *Chain) Balance(ctx context.Context, owner string, asset catalog.Asset) (*big.Int, error) {
	account, err := solana.PublicKeyFromBase58(owner)
	if err != nil {
		return nil, fmt.Errorf("owner: %w", err)
	}
	if asset.Native {
		balance, err := c.client.GetBalance(ctx, account, rpc.CommitmentConfirmed)
		if err != nil {
			return nil, fmt.Errorf("read balance on Solana: %w", err)
		}
		return new(big.Int).SetUint64(balance.Value), nil
	}
	holding, err := associated(account, mintOf(asset))
	if err != nil {
		return nil, err
	}
	balances, err := c.tokenBalances(ctx, holding)
	if err != nil {
		return nil, err
	}
	if balances[0] == nil {
		return new(big.Int), nil
	}
	return balances[0], nil
}

// tokenBalances reads token accounts; nil where there is no such account.
func (c *Chain) tokenBalances(ctx context.Context, accounts ...solana.PublicKey) ([]*big.Int, error) {
	answer, err := c.client.GetMultipleAccountsWithOpts(ctx, accounts, &rpc.GetMultipleAccountsOpts{
		Commitment: rpc.CommitmentConfirmed, Encoding: solana.EncodingBase64,
	})
	if err != nil {
		return nil, fmt.Errorf("read token accounts on Solana: %w", err)
	}
	balances := make([]*big.Int, len(accounts))
	for i, account := range answer.Value {
		if account == nil || account.Owner != solana.TokenProgramID {
			continue
		}
		data := account.Data.GetBinary()
		if len(data) != tokenAccountSize {
			return nil, fmt.Errorf("%s is not a token account", accounts[i])
		}
		balances[i] = new(big.Int).SetUint64(binary.LittleEndian.Uint64(data[amountOffset:]))
	}
	return balances, nil
}

// Pools reads the vaults of every pool, now.
func (c *Chain) Pools(ctx context.Context) ([]pricing.Pool, error) {
	var vaults []solana.PublicKey
	for _, pool := range c.programs.Pools {
		vaults = append(vaults, pool.VaultA, pool.VaultB)
	}
	reserves, err := c.tokenBalances(ctx, vaults...)
	if err != nil {
		return nil, err
	}
	var pools []pricing.Pool
	for i, pool := range c.programs.Pools {
		a, b := reserves[2*i], reserves[2*i+1]
		if a == nil || b == nil {
			return nil, fmt.Errorf("the vaults of pool %s are missing", pool.State)
		}
		pools = append(pools, pricing.Pool{
			ID: pool.State.String(), TokenA: pool.MintA.String(), TokenB: pool.MintB.String(),
			ReserveA: a, ReserveB: b, Formula: pricing.LocalSolana(pool.FeeBps),
		})
	}
	return pools, nil
}

// PayoutCost is the network fee of paying the asset out, and the rent of the
// recipient's token account when it does not exist yet.
func (c *Chain) PayoutCost(ctx context.Context, asset catalog.Asset, recipient string) (*big.Int, error) {
	cost := big.NewInt(signatureFee)
	if asset.Native {
		return cost, nil
	}
	holding, err := associatedOf(recipient, mintOf(asset))
	if err != nil {
		return nil, err
	}
	balances, err := c.tokenBalances(ctx, holding)
	if err != nil {
		return nil, err
	}
	if balances[0] == nil {
		cost.Add(cost, big.NewInt(tokenAccountRent))
	}
	return cost, nil
}

// RefundCost is that of any payout: the solver pays refunds from what it holds.
func (c *Chain) RefundCost(ctx context.Context, asset catalog.Asset, recipient string) (*big.Int, error) {
	return c.PayoutCost(ctx, asset, recipient)
}

// CheckRecipient refuses lamports that are too few to bring a new account to life.
func (c *Chain) CheckRecipient(ctx context.Context, asset catalog.Asset, recipient string, amount *big.Int) error {
	if !asset.Native || amount.Cmp(big.NewInt(emptyAccountRent)) >= 0 {
		return nil
	}
	held, err := c.Balance(ctx, recipient, asset)
	if err != nil {
		return err
	}
	if held.Sign() == 0 {
		return trade.ErrBelowRent
	}
	return nil
}

// mintOf panics on an address that is none: the catalog is checked at start.
func mintOf(asset catalog.Asset) solana.PublicKey {
	return solana.MustPublicKeyFromBase58(asset.Address)
}

func associated(owner, mint solana.PublicKey) (solana.PublicKey, error) {
	address, _, err := solana.FindAssociatedTokenAddress(owner, mint)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("associated token account: %w", err)
	}
	return address, nil
}

func associatedOf(owner string, mint solana.PublicKey) (solana.PublicKey, error) {
	key, err := solana.PublicKeyFromBase58(owner)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("owner: %w", err)
	}
	return associated(key, mint)
}
