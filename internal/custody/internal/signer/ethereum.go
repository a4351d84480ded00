package signer

import (
	"bytes"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"

	"tenfold/internal/hd"
	"tenfold/internal/secret"
)

// maxWordBits is the width of the chain's integers.
const maxWordBits = 256

// unsignedEthereum is one form of an unsigned transaction. Its RLP, after the
// type byte, is both the input and what is signed (EIP-2718, EIP-155).
type unsignedEthereum interface {
	// check refuses what RLP allows and the chain does not.
	check() error
	// signed returns the fields of the signed transaction.
	signed(signature recoverable) any
}

// readEthereum reads an EIP-2718 envelope without signature, or a legacy
// transaction's signing form.
func readEthereum(encoded, _ []byte) (Transaction, error) {
	var (
		unsigned unsignedEthereum
		prefix   []byte
	)
	switch first := encoded[0]; {
	case first == types.DynamicFeeTxType:
		unsigned, prefix = new(dynamicFeeTransaction), encoded[:1]
	case first == types.AccessListTxType:
		unsigned, prefix = new(accessListTransaction), encoded[:1]
	case first >= 0xc0: // an RLP list
		legacy, err := newLegacy(encoded)
		if err != nil {
			return Transaction{}, err
		}
		unsigned = legacy
	default:
		return Transaction{}, fmt.Errorf("%w: unsupported envelope", ErrTransaction)
	}
	if err := rlp.DecodeBytes(encoded[len(prefix):], unsigned); err != nil {
		return Transaction{}, fmt.Errorf("%w: %w", ErrTransaction, err)
	}
	if err := unsigned.check(); err != nil {
		return Transaction{}, err
	}
	canonical, err := rlp.EncodeToBytes(unsigned)
	if err != nil {
		return Transaction{}, fmt.Errorf("%w: %w", ErrTransaction, err)
	}
	if !bytes.Equal(append(bytes.Clone(prefix), canonical...), encoded) {
		return Transaction{}, fmt.Errorf("%w: not in canonical form", ErrTransaction)
	}
	return Transaction{
		curve:    hd.Secp256k1,
		preimage: encoded,
		sign: func(key secret.Bytes) ([]byte, error) {
			signature, err := signDigest(key, keccak256(encoded))
			if err != nil {
				return nil, err
			}
			fields, err := rlp.EncodeToBytes(unsigned.signed(signature))
			if err != nil {
				return nil, fmt.Errorf("encode signed transaction: %w", err)
			}
			return append(bytes.Clone(prefix), fields...), nil
		},
	}, nil
}

// newLegacy tells EIP-155's nine items from the six of before.
func newLegacy(encoded []byte) (unsignedEthereum, error) {
	content, _, err := rlp.SplitList(encoded)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTransaction, err)
	}
	count, err := rlp.CountValues(content)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTransaction, err)
	}
	const itemsBefore155, itemsOf155 = 6, 9
	switch count {
	case itemsOf155:
		return new(replayProtectedTransaction), nil
	case itemsBefore155:
		return new(legacyTransaction), nil
	}
	return nil, fmt.Errorf("%w: %d items", ErrTransaction, count)
}

// legacyTransaction is a type 0 transaction without a chain id.
type legacyTransaction struct {
	Nonce    uint64
	GasPrice *big.Int
	Gas      uint64
	To       *common.Address `rlp:"nil"`
	Value    *big.Int
	Data     []byte
}

func (t *legacyTransaction) check() error { return checkWords(t.GasPrice, t.Value) }

func (t *legacyTransaction) signed(signature recoverable) any {
	const legacyV = 27
	return t.withSignature(big.NewInt(legacyV+int64(signature.v)), signature)
}

func (t *legacyTransaction) withSignature(v *big.Int, signature recoverable) *types.LegacyTx {
	return &types.LegacyTx{
		Nonce: t.Nonce, GasPrice: t.GasPrice, Gas: t.Gas, To: t.To, Value: t.Value, Data: t.Data,
		V: v, R: number(signature.r), S: number(signature.s),
	}
}

// replayProtectedTransaction is a type 0 transaction in EIP-155's signing form:
// chain id, 0, 0 stand where v, r, s will be.
type replayProtectedTransaction struct {
	Nonce    uint64
	GasPrice *big.Int
	Gas      uint64
	To       *common.Address `rlp:"nil"`
	Value    *big.Int
	Data     []byte
	ChainID  *big.Int
	R, S     *big.Int
}

func (t *replayProtectedTransaction) check() error {
	if t.R.Sign() != 0 || t.S.Sign() != 0 {
		return fmt.Errorf("%w: signed already", ErrTransaction)
	}
	return checkChain(t.ChainID, t.GasPrice, t.Value)
}

func (t *replayProtectedTransaction) signed(signature recoverable) any {
	const chainV = 35
	v := new(big.Int).Lsh(t.ChainID, 1)
	v.Add(v, big.NewInt(chainV+int64(signature.v)))
	plain := legacyTransaction{t.Nonce, t.GasPrice, t.Gas, t.To, t.Value, t.Data}
	return plain.withSignature(v, signature)
}

// accessListTransaction is a type 1 transaction (EIP-2930).
type accessListTransaction struct {
	ChainID    *big.Int
	Nonce      uint64
	GasPrice   *big.Int
	Gas        uint64
	To         *common.Address `rlp:"nil"`
	Value      *big.Int
	Data       []byte
	AccessList types.AccessList
}

func (t *accessListTransaction) check() error { return checkChain(t.ChainID, t.GasPrice, t.Value) }

func (t *accessListTransaction) signed(signature recoverable) any {
	return &types.AccessListTx{
		ChainID: t.ChainID, Nonce: t.Nonce, GasPrice: t.GasPrice, Gas: t.Gas, To: t.To, Value: t.Value, Data: t.Data,
		AccessList: t.AccessList, V: big.NewInt(int64(signature.v)), R: number(signature.r), S: number(signature.s),
	}
}

// dynamicFeeTransaction is a type 2 transaction (EIP-1559).
type dynamicFeeTransaction struct {
	ChainID    *big.Int
	Nonce      uint64
	GasTipCap  *big.Int
	GasFeeCap  *big.Int
	Gas        uint64
	To         *common.Address `rlp:"nil"`
	Value      *big.Int
	Data       []byte
	AccessList types.AccessList
}

func (t *dynamicFeeTransaction) check() error {
	return checkChain(t.ChainID, t.GasTipCap, t.GasFeeCap, t.Value)
}

func (t *dynamicFeeTransaction) signed(signature recoverable) any {
	return &types.DynamicFeeTx{
		ChainID: t.ChainID, Nonce: t.Nonce, GasTipCap: t.GasTipCap, GasFeeCap: t.GasFeeCap, Gas: t.Gas, To: t.To,
		Value: t.Value, Data: t.Data, AccessList: t.AccessList,
		V: big.NewInt(int64(signature.v)), R: number(signature.r), S: number(signature.s),
	}
}

// checkChain refuses a transaction that names no chain, or one that no node could
// hold.
func checkChain(chainID *big.Int, words ...*big.Int) error {
	if chainID.Sign() == 0 {
		return fmt.Errorf("%w: chain id is zero", ErrTransaction)
	}
	return checkWords(append(words, chainID)...)
}

func checkWords(words ...*big.Int) error {
	for _, word := range words {
		if word.BitLen() > maxWordBits {
			return fmt.Errorf("%w: a number exceeds 256 bits", ErrTransaction)
		}
	}
	return nil
}

func number(bytes []byte) *big.Int { return new(big.Int).SetBytes(bytes) }
