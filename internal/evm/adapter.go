// Package evm is the Adapter of the nine EVM chains: it reads balances, makes,
// decodes, simulates and broadcasts transactions, and tells what became of
// them. It is a mechanism. It must never sign, and never take a node's or a
// venue's word for what unsigned bytes say.
package evm

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"tenfold/catalog"
	"tenfold/internal/chain"
	"tenfold/internal/chain/node"
	"tenfold/internal/fault"
)

// Sentences of the specification, sections 5 and 8.
const (
	messageBadRecipient = "Please enter a valid recipient address"
	messageBadPair      = "The specified amount is invalid or the recipient address is incorrect."
	messageNoFunds      = "Insufficient balance"
	messageSelfTransfer = "Self-transfers within the same chain are not allowed."
	messageMissingData  = "Missing required data, aborting swap"
)

// Adapter is one EVM chain. It is safe for concurrent use.
type Adapter struct {
	chain catalog.Chain
	nodes *node.Pool

	mu        sync.Mutex
	l1Charges *bool // whether the chain bills for layer 1; nil until asked
}

var _ chain.Adapter = (*Adapter)(nil)

// New makes the adapter of an EVM chain over its nodes' URLs, best first. Nothing
// is sent yet; a node that serves another chain id is refused when it is used.
func New(c catalog.Chain, urls []string) (*Adapter, error) {
	if !c.IsEVM {
		return nil, fmt.Errorf("%s is not an EVM chain", c.Name)
	}
	nodes, err := node.Open(urls, chainID, strconv.FormatInt(c.ID, 10))
	if err != nil {
		return nil, fmt.Errorf("open the nodes of %s: %w", c.Name, err)
	}
	return &Adapter{chain: c, nodes: nodes}, nil
}

// Chain is the catalog's entry of this chain.
func (a *Adapter) Chain() catalog.Chain { return a.chain }

// Close drops the connections to the nodes.
func (a *Adapter) Close() { a.nodes.Close() }

func chainID(ctx context.Context, n node.Caller) (string, error) {
	var id hexutil.Big
	if err := n.Call(ctx, &id, "eth_chainId"); err != nil {
		return "", err
	}
	return id.ToInt().String(), nil
}

var addressForm = regexp.MustCompile(`^0x[0-9a-fA-F]{40}$`)

// ParseAddress gives the EIP-55 form of 0x and 40 hex characters. Letters of one
// case carry no checksum; in mixed case the checksum must be right.
func (a *Adapter) ParseAddress(text string) (string, error) {
	address, err := parseAddress(text)
	if err != nil {
		return "", err
	}
	return address.Hex(), nil
}

func parseAddress(text string) (common.Address, error) {
	if !addressForm.MatchString(text) {
		return common.Address{}, fault.Wrap(fault.InvalidAddress, messageBadRecipient, fmt.Errorf("%q is not 0x and 40 hex characters", text))
	}
	address, digits := common.HexToAddress(text), text[2:]
	oneCase := digits == strings.ToLower(digits) || digits == strings.ToUpper(digits)
	if !oneCase && address.Hex() != text {
		return common.Address{}, fault.Wrap(fault.InvalidAddress, messageBadRecipient, fmt.Errorf("%s has a wrong EIP-55 checksum", text))
	}
	return address, nil
}

// classify gives an unreachable chain its code and leaves refusals to callers.
func (a *Adapter) classify(err error) error {
	var unreachable *node.UnreachableError
	if errors.As(err, &unreachable) {
		return fault.Wrap(fault.ChainUnavailable, a.chain.Name+" can't be reached right now. Please try again in a moment.", err)
	}
	return err
}

// refused turns a node's refusal into what a person may read. Other errors pass.
func refused(doing string, err error) error {
	var refusal *node.RefusalError
	if !errors.As(err, &refusal) {
		return err
	}
	raw := reasonOf(refusal)
	shown, code := fault.FriendlyMessage(raw), fault.SimulationFailed
	if strings.Contains(strings.ToLower(raw), "insufficient funds") {
		code = fault.InsufficientBalance
	}
	return fault.Wrap(code, shown, fmt.Errorf("%s: %s: %w", doing, raw, err))
}

// block is what we need of a block header.
type block struct {
	Number    hexutil.Uint64 `json:"number"`
	Hash      common.Hash    `json:"hash"`
	Timestamp hexutil.Uint64 `json:"timestamp"` // epoch seconds
	BaseFee   *hexutil.Big   `json:"baseFeePerGas"`
}

func blockAt(ctx context.Context, n node.Caller, tag string) (block, error) {
	var b *block
	if err := n.Call(ctx, &b, "eth_getBlockByNumber", tag, false); err != nil {
		return block{}, err
	}
	if b == nil || b.Hash == (common.Hash{}) {
		return block{}, node.Broken(fmt.Errorf("it has no block %s", tag))
	}
	return *b, nil
}

func balanceAt(ctx context.Context, n node.Caller, owner common.Address, tag string) (*big.Int, error) {
	var v hexutil.Big
	if err := n.Call(ctx, &v, "eth_getBalance", owner, tag); err != nil {
		return nil, err
	}
	return v.ToInt(), nil
}

func nonceAt(ctx context.Context, n node.Caller, owner common.Address, tag string) (uint64, error) {
	var v hexutil.Uint64
	if err := n.Call(ctx, &v, "eth_getTransactionCount", owner, tag); err != nil {
		return 0, err
	}
	return uint64(v), nil
}

// callMessage is the transaction object of eth_call and its relatives.
type callMessage struct {
	From     common.Address  `json:"from"`
	To       *common.Address `json:"to"`
	Value    *hexutil.Big    `json:"value,omitempty"`
	Input    hexutil.Bytes   `json:"input,omitempty"`
	Gas      *hexutil.Uint64 `json:"gas,omitempty"`
	GasPrice *hexutil.Big    `json:"gasPrice,omitempty"`
}
