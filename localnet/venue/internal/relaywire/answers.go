package relaywire

// Error is the body of an answer that is not 200.
type Error struct {
	Message   string `json:"message"`
	ErrorCode string `json:"errorCode,omitempty"`
	ErrorData string `json:"errorData,omitempty"`
	RequestID string `json:"requestId,omitempty"`
}

// PriceError is the error body of the price endpoints, which differs.
type PriceError struct {
	Error string `json:"error"`
}

// Message is the answer of the indexing calls.
type Message struct {
	Message string `json:"message"`
}

// Status is the answer of GET /intents/status/v3. Times are epoch milliseconds.
type Status struct {
	Status             string   `json:"status"`
	Details            string   `json:"details,omitempty"`
	InTxHashes         []string `json:"inTxHashes"`
	TxHashes           []string `json:"txHashes"`
	UpdatedAt          int64    `json:"updatedAt"`
	OriginChainID      int64    `json:"originChainId"`
	DestinationChainID int64    `json:"destinationChainId"`
	QuoteCreatedAt     int64    `json:"quoteCreatedAt"`
	FailReason         string   `json:"failReason"`
	RefundFailReason   string   `json:"refundFailReason"`
}

// StatusV2 is the answer of GET /intents/status/v2, whose time has another name.
type StatusV2 struct {
	Status             string   `json:"status"`
	Details            string   `json:"details,omitempty"`
	InTxHashes         []string `json:"inTxHashes"`
	TxHashes           []string `json:"txHashes"`
	Time               int64    `json:"time"`
	OriginChainID      int64    `json:"originChainId"`
	DestinationChainID int64    `json:"destinationChainId"`
}

// Chains is the answer of GET /chains.
type Chains struct {
	Chains []Chain `json:"chains"`
}

// Chain is one chain that the venue serves.
type Chain struct {
	ID                     int64           `json:"id"`
	Name                   string          `json:"name"`
	DisplayName            string          `json:"displayName"`
	HTTPRPCURL             string          `json:"httpRpcUrl"`
	WSRPCURL               string          `json:"wsRpcUrl"`
	ExplorerURL            string          `json:"explorerUrl"`
	ExplorerName           string          `json:"explorerName"`
	ExplorerPaths          ExplorerPaths   `json:"explorerPaths"`
	DepositEnabled         bool            `json:"depositEnabled"`
	TokenSupport           string          `json:"tokenSupport"` // "Limited": the catalog's tokens only
	Disabled               bool            `json:"disabled"`
	PartialDisableLimit    int64           `json:"partialDisableLimit"`
	BlockProductionLagging bool            `json:"blockProductionLagging"`
	Currency               ChainCurrency   `json:"currency"`
	WithdrawalFee          int64           `json:"withdrawalFee"`
	DepositFee             int64           `json:"depositFee"`
	SurgeEnabled           bool            `json:"surgeEnabled"`
	FeaturedTokens         []ChainCurrency `json:"featuredTokens"`
	ERC20Currencies        []ChainCurrency `json:"erc20Currencies"`
	SolverCurrencies       []ChainCurrency `json:"solverCurrencies"`
	IconURL                *string         `json:"iconUrl"`
	Contracts              *Contracts      `json:"contracts,omitempty"`
	VMType                 string          `json:"vmType"`
	BaseChainID            *int64          `json:"baseChainId"`
	StatusMessage          *string         `json:"statusMessage"`
	SolverAddresses        []string        `json:"solverAddresses"`
	Tags                   []string        `json:"tags"`
	Protocol               Protocol        `json:"protocol"`
}

// ExplorerPaths are the path prefixes of an explorer.
type ExplorerPaths struct {
	Transaction string `json:"transaction"`
	Address     string `json:"address"`
}

// ChainCurrency is a currency as GET /chains lists it.
type ChainCurrency struct {
	ID               string `json:"id"`
	Symbol           string `json:"symbol"`
	Name             string `json:"name"`
	Address          string `json:"address"`
	Decimals         int    `json:"decimals"`
	SupportsBridging bool   `json:"supportsBridging"`
	SupportsPermit   bool   `json:"supportsPermit"`
}

// Contracts are the EVM contracts of a chain that the venue uses.
type Contracts struct {
	Multicall3  string `json:"multicall3"`
	ERC20Router string `json:"erc20Router"`
}

// Protocol says where deposits are paid in.
type Protocol struct {
	V2 ProtocolV2 `json:"v2"`
}

// ProtocolV2 is the depository; DepositoryVault on Solana only.
type ProtocolV2 struct {
	ChainID         string `json:"chainId"`
	Depository      string `json:"depository"`
	DepositoryVault string `json:"depositoryVault,omitempty"`
}

// CurrenciesRequest is the body of POST /currencies/v2.
type CurrenciesRequest struct {
	DefaultList bool     `json:"defaultList"`
	ChainIDs    []int64  `json:"chainIds"`
	Term        string   `json:"term"`
	Address     string   `json:"address"`
	Tokens      []string `json:"tokens"` // "chainId:address"
	Verified    *bool    `json:"verified"`
	Limit       *int     `json:"limit"`
}
