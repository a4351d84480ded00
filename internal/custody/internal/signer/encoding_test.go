package signer_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
)

// preimage encodes what a transaction's signature covers, written out from EIP-155,
// EIP-2930 and EIP-1559 with go-ethereum's RLP. TestEthereumTypes checks it
// against go-ethereum's own signing hash.
func preimage(t *testing.T, tx *types.Transaction, chain *big.Int) []byte {
	t.Helper()
	switch tx.Type() {
	case types.AccessListTxType:
		return encode(t, []byte{types.AccessListTxType}, []any{
			chain, tx.Nonce(), tx.GasPrice(), tx.Gas(), recipient(tx), tx.Value(), tx.Data(), tx.AccessList(),
		})
	case types.DynamicFeeTxType:
		return encode(t, []byte{types.DynamicFeeTxType}, []any{
			chain, tx.Nonce(), tx.GasTipCap(), tx.GasFeeCap(), tx.Gas(), recipient(tx), tx.Value(), tx.Data(), tx.AccessList(),
		})
	}
	return encode(t, nil, []any{
		tx.Nonce(), tx.GasPrice(), tx.Gas(), recipient(tx), tx.Value(), tx.Data(), chain, uint(0), uint(0),
	})
}

// homesteadPreimage is what was signed before chains had ids.
func homesteadPreimage(t *testing.T, tx *types.Transaction) []byte {
	t.Helper()
	return encode(t, nil, []any{tx.Nonce(), tx.GasPrice(), tx.Gas(), recipient(tx), tx.Value(), tx.Data()})
}

// recipient is empty for a contract's creation.
func recipient(tx *types.Transaction) []byte {
	if tx.To() == nil {
		return nil
	}
	return common.CopyBytes(tx.To()[:])
}

func encode(t *testing.T, prefix []byte, items []any) []byte {
	t.Helper()
	encoded, err := rlp.EncodeToBytes(items)
	if err != nil {
		t.Fatal(err)
	}
	return append(prefix, encoded...)
}

func checkEthereumReads(t *testing.T, signed string) {
	t.Helper()
	var tx types.Transaction
	if err := tx.UnmarshalBinary(bytesOf(t, signed)); err != nil {
		t.Fatalf("go-ethereum cannot read %s: %v", signed, err)
	}
}
