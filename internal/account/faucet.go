package account

// FaucetTransaction is one payment of the faucet.
type FaucetTransaction struct {
	ChainID int64
	Hash    string
}
