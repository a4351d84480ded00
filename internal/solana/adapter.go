// Package solana is the Adapter of Solana: it reads balances, makes, decodes,
// simulates and broadcasts transactions, and tells what became of them. It is a
// mechanism. It must never sign, and never take a node's or a venue's word for
// what unsigned bytes say.
package solana

import (
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
	"tenfold/internal/fault"
)

// Sentences of the specification, section 8.
const (
	messageBadAddress   = "The provided address is not a valid Solana address"
	messageBadPair      = "The specified amount is invalid or the recipient address is incorrect."
	messageNoFunds      = "Insufficient balance"
	messageSelfTransfer = "Self-transfers within the same chain are not allowed."
	messageMissingData  = "Missing required data, aborting swap"
	messageNoRoute      = "No valid swap route found. Please try again with different tokens."
)

// commitment is how sure a node must be of what it tells us. Below "confirmed" a
// block may still be dropped; "finalized" would lag by 13 seconds.
const commitment = "confirmed"

// Adapter is Solana. It is safe for concurrent use.
type Adapter struct {
	chain catalog.Chain
	nodes *node.Pool
}

var _ chain.Adapter = (*Adapter)(nil)

// New makes the adapter over nodes' URLs, best first. Nothing is sent yet. Solana
// has no chain id, so the nodes are held to one genesis hash: the first answer's.
func New(c catalog.Chain, urls []string) (*Adapter, error) {
	if c.ID != catalog.SolanaChainID {
		return nil, fmt.Errorf("%s is not Solana", c.Name)
	}
	nodes, err := node.Open(urls, genesisHash, "")
	if err != nil {
		return nil, fmt.Errorf("open the nodes of %s: %w", c.Name, err)
	}
	return &Adapter{chain: c, nodes: nodes}, nil
}

func genesisHash(ctx context.Context, n node.Caller) (string, error) {
	var hash string
	err := n.Call(ctx, &hash, "getGenesisHash")
	return hash, err
}

// Chain is the catalog's entry.
func (a *Adapter) Chain() catalog.Chain { return a.chain }

// Close drops the connections to the nodes.
func (a *Adapter) Close() { a.nodes.Close() }

// ParseAddress accepts base58 of 32 bytes. The form is already canonical.
func (a *Adapter) ParseAddress(text string) (string, error) {
	key, err := parseAddress(text)
	if err != nil {
		return "", err
	}
	return key.String(), nil
}

func parseAddress(text string) (solana.PublicKey, error) {
	key, err := solana.PublicKeyFromBase58(text)
	if err == nil && key.String() != text {
		err = errors.New("not the canonical base58 form")
	}
	if err != nil {
		return solana.PublicKey{}, fault.Wrap(fault.InvalidAddress, messageBadAddress, fmt.Errorf("decode %q: %w", text, err))
	}
	return key, nil
}

// classify gives an unreachable chain its code and leaves the rest as it is.
func (a *Adapter) classify(err error) error {
	var unreachable *node.UnreachableError
	if errors.As(err, &unreachable) {
		return fault.Wrap(fault.ChainUnavailable, a.chain.Name+" can't be reached right now. Please try again in a moment.", err)
	}
	return err
}

func unsafe(cause error) error {
	return fault.Wrap(fault.UnsafeTransaction, messageMissingData, cause)
}

// tokenAccount is the owner's associated account for a mint of the classic token
// program.
func tokenAccount(owner, mint solana.PublicKey) solana.PublicKey {
	address, _, err := solana.FindAssociatedTokenAddress(owner, mint)
	if err != nil {
		panic(fmt.Sprintf("solana: no program address for %s and %s: %v", owner, mint, err)) // one in 2^255
	}
	return address
}
