// Package transfer owns payments: what may be paid to whom, how much at most,
// and the check that the built bytes say exactly what was asked. It must never
// send anything.
//
// Layer: domain.
package transfer

import "math/big"

// Request asks for one payment. Asset is an address of the chain (the native
// placeholder for the native coin), Amount a decimal string of base units.
type Request struct {
	ChainID   int64
	Asset     string
	Amount    string
	Recipient string
}

// MaximumRequest asks how much can be paid at most. Recipient may be empty.
type MaximumRequest struct {
	ChainID   int64
	Asset     string
	Recipient string
}

// Maximum is the answer in base units: Amount of the asset, Fee and Rent of the
// native coin.
type Maximum struct {
	Amount, Fee, Rent *big.Int
}
