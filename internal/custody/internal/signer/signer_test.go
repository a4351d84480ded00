package signer_test

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"tenfold/internal/custody/internal/signer"
	"tenfold/internal/hd"
	"tenfold/internal/secret"
)

func bytesOf(t testing.TB, text string) []byte {
	t.Helper()
	decoded, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// The well-known development mnemonic's first accounts, as every wallet shows
// them.
func TestAddressesOfAKnownMnemonic(t *testing.T) {
	t.Parallel()
	seed := hd.Seed(secret.Own([]byte("test test test test test test test test test test test junk")), secret.Bytes{})
	tests := map[string]struct {
		curve        hd.Curve
		path, format string
		want         string
	}{
		"ok/ethereum 0": {hd.Secp256k1, "m/44'/60'/0'/0/0", signer.FormatEthereum, "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"},
		"ok/ethereum 1": {hd.Secp256k1, "m/44'/60'/0'/0/1", signer.FormatEthereum, "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"},
		"ok/compressed": {hd.Secp256k1, "m/44'/60'/0'/0/0", signer.FormatCompressed, "038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75"},
		"ok/solana":     {hd.Ed25519, "m/44'/501'/0'/0'", signer.FormatSolana, "oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, err := hd.ParsePath(test.path)
			if err != nil {
				t.Fatal(err)
			}
			key, err := hd.Derive(seed, test.curve, path)
			if err != nil {
				t.Fatal(err)
			}
			address, _, err := signer.Address(test.curve, test.format, key)
			if err != nil || address != test.want {
				t.Errorf("got %s, %v", address, err)
			}
		})
	}
}

func TestAddressRefuses(t *testing.T) {
	t.Parallel()
	key := secret.Own(append(make([]byte, 31), 1))
	tests := map[string]struct {
		curve  hd.Curve
		format string
		want   error
	}{
		"fail/unknown format":     {hd.Secp256k1, "ADDRESS_FORMAT_DOGE", signer.ErrFormat},
		"fail/no format":          {hd.Secp256k1, "", signer.ErrFormat},
		"fail/solana on secp":     {hd.Secp256k1, signer.FormatSolana, signer.ErrCurve},
		"fail/ethereum on ed":     {hd.Ed25519, signer.FormatEthereum, signer.ErrCurve},
		"fail/uncompressed on ed": {hd.Ed25519, signer.FormatUncompressed, signer.ErrCurve},
	}
	for name, test := range tests {
		if _, _, err := signer.Address(test.curve, test.format, key); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := signer.Curve("CURVE_P256"); !errors.Is(err, signer.ErrCurve) {
		t.Errorf("unknown curve: %v", err)
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266":  "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
		"0XF39FD6E51AAD88F6F4CE6AB8827279CFFFB92266":  "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
		"oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96": "oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96",
		strings.Repeat("AB", 33):                      strings.Repeat("ab", 33),
	}
	for address, want := range tests {
		if got := signer.Lookup(address); got != want {
			t.Errorf("%s is looked up as %s", address, got)
		}
	}
}

// eip155Key signs the example of EIP-155.
var eip155Key = strings.Repeat("46", 32)

func TestEIP155Example(t *testing.T) {
	t.Parallel()
	const (
		unsigned = "ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080"
		signed   = "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83"
	)
	for _, prefix := range []string{"", "0x"} {
		transaction, err := signer.ReadTransaction(signer.TransactionEthereum, prefix+unsigned, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := transaction.Sign(secret.Own(bytesOf(t, eip155Key)))
		if err != nil || got != signed {
			t.Errorf("got %s, %v", got, err)
		}
	}
}

// TestEthereumTypes has go-ethereum read back each type that we sign, and recover
// the sender from it.
func TestEthereumTypes(t *testing.T) {
	t.Parallel()
	key := bytesOf(t, eip155Key)
	private, err := crypto.ToECDSA(key)
	if err != nil {
		t.Fatal(err)
	}
	sender := crypto.PubkeyToAddress(private.PublicKey)
	to := common.HexToAddress("0x3535353535353535353535353535353535353535")
	list := types.AccessList{{Address: to, StorageKeys: []common.Hash{{1}, {2}}}}
	huge := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	chain := big.NewInt(8453)
	tests := map[string]types.TxData{
		"ok/legacy":          &types.LegacyTx{Nonce: 9, GasPrice: big.NewInt(20e9), Gas: 21000, To: &to, Value: big.NewInt(1e18)},
		"ok/legacy creation": &types.LegacyTx{GasPrice: big.NewInt(1), Gas: 1, Value: new(big.Int), Data: []byte{0x60}},
		"ok/type 1":          &types.AccessListTx{ChainID: chain, Nonce: 1, GasPrice: big.NewInt(1), Gas: 5, To: &to, Value: huge, AccessList: list},
		"ok/type 2":          &types.DynamicFeeTx{ChainID: chain, Nonce: 1 << 63, GasTipCap: big.NewInt(1), GasFeeCap: huge, Gas: 5, To: &to, Value: new(big.Int), Data: []byte("data"), AccessList: list},
		"ok/type 2 creation": &types.DynamicFeeTx{ChainID: chain, GasTipCap: new(big.Int), GasFeeCap: new(big.Int), Value: new(big.Int), Data: make([]byte, 300)},
	}
	for name, data := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reader := types.LatestSignerForChainID(chain)
			unsigned := preimage(t, types.NewTx(data), chain)
			transaction, err := signer.ReadTransaction(signer.TransactionEthereum, hex.EncodeToString(unsigned), nil)
			if err != nil {
				t.Fatal(err)
			}
			text, err := transaction.Sign(secret.Own(append([]byte{}, key...)))
			if err != nil {
				t.Fatal(err)
			}
			var signed types.Transaction
			if err := signed.UnmarshalBinary(bytesOf(t, text)); err != nil {
				t.Fatal(err)
			}
			from, err := types.Sender(reader, &signed)
			if err != nil || from != sender {
				t.Errorf("sender %s, %v", from, err)
			}
			if reader.Hash(&signed) != reader.Hash(types.NewTx(data)) {
				t.Error("the signed transaction says something else")
			}
		})
	}
}

func TestLegacyWithoutChain(t *testing.T) {
	t.Parallel()
	to := common.HexToAddress("0x3535353535353535353535353535353535353535")
	plain := types.NewTx(&types.LegacyTx{Nonce: 9, GasPrice: big.NewInt(1), Gas: 21000, To: &to, Value: big.NewInt(1)})
	transaction, err := signer.ReadTransaction(signer.TransactionEthereum, hex.EncodeToString(homesteadPreimage(t, plain)), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := transaction.Sign(secret.Own(bytesOf(t, eip155Key)))
	if err != nil {
		t.Fatal(err)
	}
	var signed types.Transaction
	if err := signed.UnmarshalBinary(bytesOf(t, text)); err != nil {
		t.Fatal(err)
	}
	from, err := types.Sender(types.HomesteadSigner{}, &signed)
	if err != nil || from != common.HexToAddress("0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F") {
		t.Errorf("sender %s, %v", from, err)
	}
}

func TestEthereumRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"fail/empty":                    "",
		"fail/prefix alone":             "0x",
		"fail/not hex":                  "zz",
		"fail/odd hex":                  "0c0",
		"fail/type byte alone":          "02",
		"fail/type 3":                   "03" + "c0",
		"fail/type 4":                   "04" + "c0",
		"fail/type 0 envelope":          "00" + "c0",
		"fail/a string":                 "83616263",
		"fail/seven items":              "c7" + "01010180010101",
		"fail/trailing byte":            "ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008001808000",
		"fail/cut":                      "ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a7640000800180",
		"fail/leading zero in a number": "ec09" + "8504a817c800" + "820001" + "943535353535353535353535353535353535353535" + "880de0b6b3a7640000" + "80" + "01" + "80" + "80",
		"fail/long form of a short":     "f82c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080",
		"fail/single byte as string":    "ed" + "8109" + "8504a817c800" + "825208" + "943535353535353535353535353535353535353535" + "880de0b6b3a7640000" + "80" + "01" + "80" + "80",
		"fail/chain zero":               "ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080808080",
		"fail/signed already":           "ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080250101",
		"fail/short recipient":          "eb098504a817c8008252089335353535353535353535353535353535353535880de0b6b3a764000080018080",
		"fail/list as recipient":        "d8098504a817c800825208c0880de0b6b3a764000080018080",
		"fail/signed transaction":       "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83",
		"fail/number of 257 bits":       "02" + "ea" + "01" + "80" + "80" + "80" + "80" + "80" + "a1" + "01" + strings.Repeat("00", 32) + "80" + "c0",
	}
	for name, unsigned := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := signer.ReadTransaction(signer.TransactionEthereum, unsigned, nil)
			if !errors.Is(err, signer.ErrTransaction) {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := signer.ReadTransaction("TRANSACTION_TYPE_TRON", "c0", nil); !errors.Is(err, signer.ErrTransaction) {
		t.Errorf("unknown type: %v", err)
	}
}

func TestSignPayload(t *testing.T) {
	t.Parallel()
	key := bytesOf(t, eip155Key)
	payload := []byte("payload")
	public := secp256k1.PrivKeyFromBytes(key).PubKey()
	digest := crypto.Keccak256(payload)
	for name, test := range map[string]struct {
		payload []byte
		hash    string
	}{
		"ok/keccak":  {payload, signer.HashKeccak256},
		"ok/no hash": {digest, signer.HashNone},
	} {
		result, err := signer.SignPayload(hd.Secp256k1, secret.Own(append([]byte{}, key...)), test.payload, test.hash)
		if err != nil || len(result.R) != 64 || len(result.S) != 64 {
			t.Fatalf("%s: %+v, %v", name, result, err)
		}
		compact := append([]byte{27 + bytesOf(t, result.V)[0]}, bytesOf(t, result.R+result.S)...)
		recovered, _, err := ecdsa.RecoverCompact(compact, digest)
		if err != nil || !recovered.IsEqual(public) {
			t.Errorf("%s: v does not recover the key: %v", name, err)
		}
		var s secp256k1.ModNScalar
		s.SetByteSlice(bytesOf(t, result.S))
		if s.IsOverHalfOrder() {
			t.Errorf("%s: high S, which Ethereum refuses", name)
		}
	}
	result, err := signer.SignPayload(hd.Ed25519, secret.Own(append([]byte{}, key...)), payload, signer.HashNotApplicable)
	if err != nil || result.V != "00" {
		t.Fatal(err)
	}
	edPublic := ed25519.NewKeyFromSeed(key).Public().(ed25519.PublicKey)
	if !ed25519.Verify(edPublic, payload, bytesOf(t, result.R+result.S)) {
		t.Error("the ed25519 signature does not verify")
	}
}

func TestSignPayloadRefuses(t *testing.T) {
	t.Parallel()
	key := secret.Own(bytesOf(t, eip155Key))
	digest := make([]byte, 32)
	tests := map[string]struct {
		curve   hd.Curve
		payload []byte
		hash    string
		want    error
	}{
		"fail/short digest":          {hd.Secp256k1, digest[:31], signer.HashNone, signer.ErrDigest},
		"fail/long digest":           {hd.Secp256k1, append(digest, 0), signer.HashNone, signer.ErrDigest},
		"fail/empty digest":          {hd.Secp256k1, nil, signer.HashNone, signer.ErrDigest},
		"fail/not applicable":        {hd.Secp256k1, digest, signer.HashNotApplicable, signer.ErrHash},
		"fail/no hash function":      {hd.Secp256k1, digest, "", signer.ErrHash},
		"fail/unknown hash function": {hd.Secp256k1, digest, "HASH_FUNCTION_MD5", signer.ErrHash},
		"fail/hash for ed25519":      {hd.Ed25519, digest, signer.HashSHA256, signer.ErrHash},
		"fail/no op for ed25519":     {hd.Ed25519, digest, signer.HashNone, signer.ErrHash},
	}
	for name, test := range tests {
		if _, err := signer.SignPayload(test.curve, key, test.payload, test.hash); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, bad := range []struct{ payload, encoding string }{
		{"zz", signer.EncodingHexadecimal}, {"0", signer.EncodingHexadecimal}, {"00", ""}, {"00", "PAYLOAD_ENCODING_EIP712"},
	} {
		if _, err := signer.DecodePayload(bad.payload, bad.encoding); !errors.Is(err, signer.ErrEncoding) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
