package catalog

import "fmt"

// ContractKind says what a venue's contract does.
type ContractKind string

// The kinds of contract that a venue may ask people to call. A router swaps on
// an EVM chain and may be approved to spend; a pool is a Solana program that
// swaps; a depository takes the deposits of cross-chain orders and may be
// approved to spend on EVM chains.
const (
	Router     ContractKind = "router"
	Pool       ContractKind = "pool"
	Depository ContractKind = "depository"
)

// Contract is one contract or program that a venue may ask people to call.
// Nothing else that it names is signed.
type Contract struct {
	ChainID int64        `json:"chainId"`
	Kind    ContractKind `json:"kind"`
	Address string       `json:"address"` // EIP-55 or base58
}

type venueEntry struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Contracts []Contract `json:"contracts"`
}

var venues []venueEntry

func init() {
	var v struct {
		Schema string       `json:"$schema"`
		Venues []venueEntry `json:"venues"`
	}
	mustRead("venues.json", &v)
	if err := checkVenues(v.Venues); err != nil {
		panic(fmt.Sprintf("catalog: %v", err))
	}
	venues = v.Venues
}

func checkVenues(list []venueEntry) error {
	kinds := map[ContractKind]bool{Router: true, Pool: true, Depository: true}
	seen := map[string]bool{}
	for _, v := range list {
		if seen[v.ID] {
			return fmt.Errorf("venue %s is there twice", v.ID)
		}
		seen[v.ID] = true
		for _, c := range v.Contracts {
			key := fmt.Sprintf("%s %d/%s", v.ID, c.ChainID, c.Address)
			if seen[key] || !kinds[c.Kind] {
				return fmt.Errorf("contract %s is there twice or of an unknown kind", key)
			}
			seen[key] = true
		}
	}
	return nil
}

// ContractOf finds the venue's contract at an address of a chain; false when the
// venue has none there, and then it must not be called.
func ContractOf(venue string, chainID int64, address string) (Contract, bool) {
	for _, c := range contractsOn(chainID, address) {
		if c.venue == venue {
			return c.Contract, true
		}
	}
	return Contract{}, false
}

// KindAt tells what any venue's contract at an address of a chain does; false
// when no venue has one there. It says how to decode, not whether to trust.
func KindAt(chainID int64, address string) (ContractKind, bool) {
	for _, c := range contractsOn(chainID, address) {
		return c.Kind, true
	}
	return "", false
}

type venueContract struct {
	venue string
	Contract
}

func contractsOn(chainID int64, address string) []venueContract {
	on, known := ChainByID(chainID)
	if !known {
		return nil
	}
	var found []venueContract
	for _, v := range venues {
		for _, c := range v.Contracts {
			if c.ChainID == chainID && on.SameAddress(c.Address, address) {
				found = append(found, venueContract{v.ID, c})
			}
		}
	}
	return found
}
