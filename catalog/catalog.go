// Package catalog holds the product's facts, each defined once as JSON and read
// by Go and by TypeScript: chains, tokens, venues, limits and messages. It imports
// nothing of ours. The files are embedded, decoded strictly and checked when
// the process starts; a wrong catalog is a programming error and panics.
package catalog

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed chains.json tokens.json limits.json messages.json venues.json
var files embed.FS

// SolanaChainID is the product's number for Solana. Solana has no chain id of
// its own; this is deBridge's number for it, and other venues use another.
const SolanaChainID int64 = 7565164

// Chain is one supported blockchain.
type Chain struct {
	ID             int64            `json:"id"`
	Name           string           `json:"name"`
	Slug           string           `json:"slug"`
	Icon           string           `json:"icon"`
	IsEVM          bool             `json:"isEVM"`
	NativeCurrency Currency         `json:"nativeCurrency"`
	WrappedToken   WrappedToken     `json:"wrappedToken"`
	TokenAddress   string           `json:"tokenAddress"` // placeholder that stands for the native coin
	BlockTimeMs    int64            `json:"blockTimeMs"`
	Finality       Finality         `json:"finality"`
	Explorer       Explorer         `json:"explorer"`
	RPCURLs        []string         `json:"rpcUrls"` // public fallbacks, best first
	Venues         map[string]Venue `json:"venues"`
}

// Currency is a chain's native coin.
type Currency struct {
	Name     string `json:"name"`
	Symbol   string `json:"symbol"`
	Decimals int    `json:"decimals"`
}

// WrappedToken is the token form of a chain's native coin.
type WrappedToken struct {
	Address  string `json:"address"`
	Symbol   string `json:"symbol"`
	Decimals int    `json:"decimals"`
}

// Finality says when a transaction counts as settled on a chain: after a number
// of blocks (EVM), the including block counted as the first, or at a Solana
// commitment.
type Finality struct {
	Rule       string `json:"rule"` // "confirmations" or "commitment"
	Blocks     uint64 `json:"blocks,omitempty"`
	Commitment string `json:"commitment,omitempty"`
}

// Explorer builds links to a public block explorer.
type Explorer struct {
	Name            string `json:"name"`
	URL             string `json:"url"`
	TransactionPath string `json:"transactionPath"` // contains {hash}
	AddressPath     string `json:"addressPath"`     // contains {address}
}

// TransactionURL is the explorer's page of one transaction.
func (e Explorer) TransactionURL(hash string) string {
	return e.URL + strings.Replace(e.TransactionPath, "{hash}", hash, 1)
}

// Venue is a venue's own naming of a chain and of its native coin.
type Venue struct {
	ChainID     int64  `json:"chainId,omitempty"`
	Key         string `json:"key,omitempty"`
	Slug        string `json:"slug,omitempty"`
	NativeToken string `json:"nativeToken"`
}

// Token is a fungible token at one address of one chain.
type Token struct {
	ChainID  int64  `json:"chainId"`
	Address  string `json:"address"` // EIP-55 on EVM chains, base58 mint on Solana
	Symbol   string `json:"symbol"`
	Name     string `json:"name"`
	Decimals int    `json:"decimals"`
	Icon     string `json:"icon"`
	Kind     string `json:"kind"` // "wrapped", "usdc" or "usdt"
	// ResetAllowance marks a token whose allowance must be set to zero before
	// it can be changed to another amount (Ethereum's USDT).
	ResetAllowance bool `json:"resetAllowance,omitempty"`
}

// Limits are the numeric bounds of the product. Durations are milliseconds or
// seconds as their names say; sizes are bytes; rates are per client.
type Limits struct {
	Session struct {
		ReadWriteSeconds int64 `json:"readWriteSeconds"`
		ReadOnlySeconds  int64 `json:"readOnlySeconds"`
		StampWindowMs    int64 `json:"stampWindowMs"` // how far a stamp's time may lie from ours
	} `json:"session"`
	Request struct {
		AppBodyBytes     int64 `json:"appBodyBytes"`
		CustodyBodyBytes int64 `json:"custodyBodyBytes"`
		JSONDepth        int   `json:"jsonDepth"`
	} `json:"request"`
	Quote struct {
		DeadlineMs  int64 `json:"deadlineMs"`
		ValidMs     int64 `json:"validMs"`
		SlippageBps int64 `json:"slippageBps"`
	} `json:"quote"`
	Draft struct {
		ValidMs int64 `json:"validMs"`
	} `json:"draft"`
	Rates struct {
		ServerSignPerMinute int `json:"serverSignPerMinute"`
		SessionsPerMinute   int `json:"sessionsPerMinute"`
		QuotesPerMinute     int `json:"quotesPerMinute"`
	} `json:"rates"`
	Price struct {
		FreshMs int64 `json:"freshMs"`
	} `json:"price"`
	Custody struct {
		TimestampPastMs         int64 `json:"timestampPastMs"`
		TimestampFutureMs       int64 `json:"timestampFutureMs"`
		AuthenticatorsPerUser   int   `json:"authenticatorsPerUser"`
		LongLivedAPIKeysPerUser int   `json:"longLivedApiKeysPerUser"`
		ExpiringAPIKeysPerUser  int   `json:"expiringApiKeysPerUser"`
		WalletsPerOrganization  int   `json:"walletsPerOrganization"`
		UsersPerOrganization    int   `json:"usersPerOrganization"`
		AccountsPerRequest      int   `json:"accountsPerRequest"`
	} `json:"custody"`
}

var (
	chains []Chain
	tokens []Token
	limits Limits
)

func init() {
	var c struct {
		Schema string  `json:"$schema"`
		Chains []Chain `json:"chains"`
	}
	mustRead("chains.json", &c)
	var t struct {
		Schema string  `json:"$schema"`
		Tokens []Token `json:"tokens"`
	}
	mustRead("tokens.json", &t)
	var l struct {
		Schema string `json:"$schema"`
		Limits
	}
	mustRead("limits.json", &l)
	chains, tokens, limits = c.Chains, t.Tokens, l.Limits
	if err := check(chains, tokens); err != nil {
		panic(fmt.Sprintf("catalog: %v", err))
	}
}

func mustRead(name string, into any) {
	raw, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("catalog: read %s: %v", name, err))
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		panic(fmt.Sprintf("catalog: decode %s: %v", name, err))
	}
}

// check refuses a catalog that would confuse one chain or asset with another:
// ids, slugs and each venue's own ids must map one to one.
func check(chains []Chain, tokens []Token) error {
	known := map[int64]bool{}
	seen := map[string]int64{}
	claim := func(key string, id int64) error {
		if other, taken := seen[key]; taken {
			return fmt.Errorf("chains %d and %d share %s", other, id, key)
		}
		seen[key] = id
		return nil
	}
	for _, c := range chains {
		known[c.ID] = true
		keys := []string{fmt.Sprintf("id %d", c.ID), "slug " + c.Slug, "name " + c.Name}
		for venue, v := range c.Venues {
			keys = append(keys, fmt.Sprintf("%s id %d/%s/%s", venue, v.ChainID, v.Slug, v.Key))
		}
		for _, k := range keys {
			if err := claim(k, c.ID); err != nil {
				return err
			}
		}
		if c.IsEVM == (c.ID == SolanaChainID) {
			return fmt.Errorf("chain %d: isEVM is wrong", c.ID)
		}
	}
	for _, t := range tokens {
		if !known[t.ChainID] {
			return fmt.Errorf("token %s is on unknown chain %d", t.Symbol, t.ChainID)
		}
		if err := claim(fmt.Sprintf("token %d/%s", t.ChainID, strings.ToLower(t.Address)), t.ChainID); err != nil {
			return err
		}
	}
	return nil
}

// Chains lists the supported chains in the order in which they are shown.
func Chains() []Chain { return append([]Chain(nil), chains...) }

// ChainByID finds a chain; false when the product does not support it.
func ChainByID(id int64) (Chain, bool) {
	for _, c := range chains {
		if c.ID == id {
			return c, true
		}
	}
	return Chain{}, false
}

// TokensOn lists the catalog's tokens of one chain, the native coin not among them.
func TokensOn(chainID int64) []Token {
	var on []Token
	for _, t := range tokens {
		if t.ChainID == chainID {
			on = append(on, t)
		}
	}
	return on
}

// ByVenueChainID maps a venue's own chain id to ours; false when it has none.
func ByVenueChainID(venue string, id int64) (Chain, bool) {
	for _, c := range chains {
		if v, ok := c.Venues[venue]; ok && v.ChainID == id && id != 0 {
			return c, true
		}
	}
	return Chain{}, false
}

// CurrentLimits are the product's numeric bounds.
func CurrentLimits() Limits { return limits }
