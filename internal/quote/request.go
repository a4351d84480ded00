package quote

// Request asks for offers, in the words of the outside: asset addresses (the
// native placeholder for a native coin) and a decimal string of base units.
type Request struct {
	FromChainID int64
	FromAsset   string
	ToChainID   int64
	ToAsset     string
	Amount      string
}
