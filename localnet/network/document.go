package network

import (
	"encoding/json"
	"fmt"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"tenfold/catalog"
)

// Document tells programs where everything is; `localnet --json` prints it.
type Document struct {
	Chains   []ChainEndpoints `json:"chains"`
	Venue    Endpoint         `json:"venue"`
	Faucet   Endpoint         `json:"faucet"`
	Accounts []Account        `json:"accounts"`
}

// ChainEndpoints is where one chain's JSON-RPC is.
type ChainEndpoints struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	RPCURL string `json:"rpcUrl"`
	WSURL  string `json:"wsUrl"`
}

// Endpoint is where a service is.
type Endpoint struct {
	URL string `json:"url"`
}

// Account is a funded test account. Its key is worthless outside this network.
type Account struct {
	Kind       string `json:"kind"` // "evm" or "solana"
	Address    string `json:"address"`
	PrivateKey string `json:"privateKey"` // 0x hex, or base58 of 64 bytes
}

// Document describes the running network.
func (n *Network) Document() Document {
	document := Document{
		Venue:  Endpoint{localURL("http", n.venuePort, "")},
		Faucet: Endpoint{localURL("http", n.venuePort, "/faucet")},
	}
	for _, c := range catalog.Chains() {
		endpoints := ChainEndpoints{ID: c.ID, Name: c.Name}
		switch {
		case c.IsEVM:
			path := fmt.Sprintf("/%d", c.ID)
			endpoints.RPCURL, endpoints.WSURL = localURL("http", n.evmPort, path), localURL("ws", n.evmPort, path)
		case n.solana != nil:
			endpoints.RPCURL, endpoints.WSURL = n.solana.rpcURL(), n.solana.wsURL()
		default:
			continue
		}
		document.Chains = append(document.Chains, endpoints)
	}
	for _, key := range n.keys.accounts {
		document.Accounts = append(document.Accounts, Account{
			Kind: "evm", Address: addressOf(key).Hex(), PrivateKey: hexutil.Encode(crypto.FromECDSA(key)),
		})
	}
	if n.solana != nil {
		document.Accounts = append(document.Accounts, n.solana.testAccounts...)
	}
	return document
}

// JSON is the document as one line.
func (d Document) JSON() ([]byte, error) {
	raw, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encode the network's document: %w", err)
	}
	return append(raw, '\n'), nil
}

func localURL(scheme string, port int, path string) string {
	return fmt.Sprintf("%s://localhost:%d%s", scheme, port, path)
}
