package faucet

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/gagliardetto/solana-go"
)

const requestBytes = 4 << 10

// Handler answers POST {"evmAddress"?, "solanaAddress"?} with 200
// {"transactions":[{"chainId","hash"}]} once all payments are in blocks. A bad
// request is 400 and a chain that does not pay is 502, both {"message"}.
func (f *Faucet) Handler(log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			answer(w, http.StatusMethodNotAllowed, message{"the faucet takes POST"})
			return
		}
		wanted, err := readRequest(http.MaxBytesReader(w, r.Body, requestBytes))
		if err != nil {
			answer(w, http.StatusBadRequest, message{err.Error()})
			return
		}
		paid, err := f.Fund(r.Context(), wanted.EVMAddress, wanted.SolanaAddress)
		if err != nil {
			log.Error("faucet could not pay", "error", err)
			answer(w, http.StatusBadGateway, message{"the faucet could not pay on every chain: " + err.Error()})
			return
		}
		answer(w, http.StatusOK, struct {
			Transactions []Transaction `json:"transactions"`
		}{paid})
	})
}

type request struct {
	EVMAddress    string `json:"evmAddress"`
	SolanaAddress string `json:"solanaAddress"`
}

type message struct {
	Message string `json:"message"`
}

// readRequest gives addresses in their one canonical spelling; its errors are
// for the caller.
func readRequest(body io.Reader) (request, error) {
	var wanted request
	decoder := json.NewDecoder(body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&wanted); err != nil {
		return request{}, errors.New("the body is not {\"evmAddress\", \"solanaAddress\"} as JSON")
	}
	if wanted.EVMAddress == "" && wanted.SolanaAddress == "" {
		return request{}, errors.New("evmAddress or solanaAddress is needed")
	}
	if wanted.EVMAddress != "" {
		address, err := evmAddress(wanted.EVMAddress)
		if err != nil {
			return request{}, err
		}
		wanted.EVMAddress = address.Hex()
	}
	if wanted.SolanaAddress != "" {
		if _, err := solana.PublicKeyFromBase58(wanted.SolanaAddress); err != nil {
			return request{}, errors.New("solanaAddress is not a base58 address of 32 bytes")
		}
	}
	return wanted, nil
}

// evmAddress takes 0x and 40 hex digits; mixed case must be the EIP-55 checksum.
func evmAddress(text string) (common.Address, error) {
	if !strings.HasPrefix(text, "0x") || !common.IsHexAddress(text) {
		return common.Address{}, errors.New("evmAddress is not 0x and 40 hexadecimal digits")
	}
	address := common.HexToAddress(text)
	digits := text[2:]
	if digits != strings.ToLower(digits) && digits != strings.ToUpper(digits) && text != address.Hex() {
		return common.Address{}, errors.New("evmAddress has a wrong checksum; check each letter")
	}
	if address == (common.Address{}) {
		return common.Address{}, errors.New("evmAddress is the zero address")
	}
	return address, nil
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client has gone; nobody is left to tell
}
