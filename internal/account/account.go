// Package account owns which addresses belong to a person: it reads them from
// custody and answers for one person only. It must never take an address from
// a request's word.
//
// Layer: domain.
package account

// Kind says which chains an address is good for.
type Kind string

// The kinds of account.
const (
	EVM    Kind = "evm"
	Solana Kind = "solana"
)

// Account is one derived address of a person's wallet.
type Account struct {
	Kind     Kind
	Address  string // canonical: EIP-55 or base58
	WalletID string
	ChainIDs []int64
}
