package evm

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
)

// dynamicFee is an unsigned EIP-1559 transaction: the payload of EIP-2718 type 2
// without its three signature fields.
type dynamicFee struct {
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

// legacy is an unsigned EIP-155 transaction, for chains without a base fee.
type legacy struct {
	Nonce    uint64
	GasPrice *big.Int
	Gas      uint64
	To       *common.Address `rlp:"nil"`
	Value    *big.Int
	Data     []byte
	ChainID  *big.Int
	R, S     uint64 // zero in the form that is hashed
}

// draft is an unsigned transaction of either kind.
type draft struct {
	legacy   bool
	chainID  *big.Int
	nonce    uint64
	tip, cap *big.Int // wei per gas; in a legacy transaction both are the gas price
	gas      uint64
	to       *common.Address
	value    *big.Int // wei
	data     []byte
}

// encode gives the bytes whose hash is signed: the EIP-2718 envelope without a
// signature, or EIP-155's list of nine.
func (d draft) encode() []byte {
	var payload any = dynamicFee{d.chainID, d.nonce, d.tip, d.cap, d.gas, d.to, d.value, d.data, nil}
	if d.legacy {
		payload = legacy{d.nonce, d.cap, d.gas, d.to, d.value, d.data, d.chainID, 0, 0}
	}
	raw, err := rlp.EncodeToBytes(payload)
	if err != nil {
		panic(fmt.Sprintf("evm: encode a transaction: %v", err)) // only a negative number can do that
	}
	if d.legacy {
		return raw
	}
	return append([]byte{types.DynamicFeeTxType}, raw...)
}

// maximumFee is gas limit times the highest price, in wei.
func (d draft) maximumFee() *big.Int {
	return new(big.Int).Mul(new(big.Int).SetUint64(d.gas), d.cap)
}

// decodeDraft is encode's inverse. It refuses everything that encode can't have
// made: other types, access lists, trailing or non-canonical bytes.
func decodeDraft(unsigned []byte) (draft, error) {
	if len(unsigned) == 0 {
		return draft{}, errors.New("no bytes")
	}
	var d draft
	if unsigned[0] == types.DynamicFeeTxType {
		var t dynamicFee
		if err := rlp.DecodeBytes(unsigned[1:], &t); err != nil {
			return draft{}, fmt.Errorf("decode an EIP-1559 transaction: %w", err)
		}
		if len(t.AccessList) > 0 {
			return draft{}, errors.New("the transaction has an access list")
		}
		d = draft{false, t.ChainID, t.Nonce, t.GasTipCap, t.GasFeeCap, t.Gas, t.To, t.Value, t.Data}
	} else {
		var t legacy
		if err := rlp.DecodeBytes(unsigned, &t); err != nil {
			return draft{}, fmt.Errorf("decode a legacy transaction: %w", err)
		}
		d = draft{true, t.ChainID, t.Nonce, t.GasPrice, t.GasPrice, t.Gas, t.To, t.Value, t.Data}
	}
	if !bytes.Equal(d.encode(), unsigned) {
		return draft{}, errors.New("the transaction is not canonically encoded")
	}
	return d, nil
}

// signingHash is what the owner's key signs. It is the hash of the unsigned
// bytes for both kinds.
func signingHash(unsigned []byte) common.Hash { return crypto.Keccak256Hash(unsigned) }
