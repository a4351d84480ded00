package custody_test

import (
	"context"
	"encoding/hex"
	"math/big"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"

	"tenfold/internal/custody/custodytest"
	"tenfold/internal/sqldb"
	"tenfold/internal/stamp"
)

// database opens the rig's database as an operator, or a thief, could.
func database(t *testing.T, rig *custodytest.Rig) *sqldb.DB {
	t.Helper()
	db, err := sqldb.Open(t.Context(), filepath.Join(rig.DataDir, "custody.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// edit runs one statement on the rig's database.
func edit(t *testing.T, rig *custodytest.Rig, statement string, args ...any) {
	t.Helper()
	err := database(t, rig).Write(t.Context(), func(tx sqldb.DBTX) error {
		_, err := tx.Exec(context.WithoutCancel(t.Context()), statement, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// count runs a query for one number.
func count(t *testing.T, rig *custodytest.Rig, query string, args ...any) int {
	t.Helper()
	var rows int
	if err := database(t, rig).Reader().QueryRow(t.Context(), query, args...).Scan(&rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

const audited = "SELECT count(*) FROM signature_audit"

// unsignedTransfer is a type 2 transfer on Base without its signature.
func unsignedTransfer(t *testing.T) string {
	t.Helper()
	to := common.HexToAddress("0x3535353535353535353535353535353535353535")
	encoded, err := rlp.EncodeToBytes([]any{
		big.NewInt(8453), uint64(1), big.NewInt(1), big.NewInt(2), uint64(21000), to, big.NewInt(5), []byte{}, types.AccessList{},
	})
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(append([]byte{types.DynamicFeeTxType}, encoded...))
}

func signTransaction(t *testing.T, rig *custodytest.Rig, person custodytest.Person, kind, signWith, unsigned string) custodytest.Answer {
	t.Helper()
	return rig.Submit(t, person.Key, "sign_transaction", "SIGN_TRANSACTION_V2", person.OrganizationID, map[string]any{
		"signWith": signWith, "unsignedTransaction": unsigned, "type": "TRANSACTION_TYPE_" + kind,
	})
}

func TestSignEthereumTransaction(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	for _, address := range []string{person.EthereumAddress, strings.ToLower(person.EthereumAddress), "0x" + strings.ToUpper(person.EthereumAddress[2:])} {
		answer := signTransaction(t, rig, person, "ETHEREUM", address, unsignedTransfer(t))
		accepted(t, answer)
		signed, _ := answer.Result("signTransactionResult")["signedTransaction"].(string)
		encoded, err := hex.DecodeString(signed)
		if err != nil {
			t.Fatal(err)
		}
		var tx types.Transaction
		if err := tx.UnmarshalBinary(encoded); err != nil {
			t.Fatal(err)
		}
		sender, err := types.Sender(types.LatestSignerForChainID(big.NewInt(8453)), &tx)
		if err != nil || sender.Hex() != person.EthereumAddress {
			t.Errorf("sender %s, %v", sender, err)
		}
	}
	if rows := count(t, rig, audited); rows != 3 {
		t.Errorf("%d audit rows for 3 signatures", rows)
	}
}

func TestSignSolanaTransaction(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	owner := solana.MustPublicKeyFromBase58(person.SolanaAddress)
	instruction := system.NewTransferInstruction(1, owner, solana.SystemProgramID).Build()
	tx, err := solana.NewTransaction([]solana.Instruction{instruction}, solana.Hash{1}, solana.TransactionPayer(owner))
	if err != nil {
		t.Fatal(err)
	}
	tx.Signatures = make([]solana.Signature, 1)
	encoded, err := tx.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	unsigned := hex.EncodeToString(encoded)
	answer := signTransaction(t, rig, person, "SOLANA", person.SolanaAddress, unsigned)
	accepted(t, answer)
	text, _ := answer.Result("signTransactionResult")["signedTransaction"].(string)
	decoded, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := solana.TransactionFromBytes(decoded)
	if err != nil {
		t.Fatal(err)
	}
	if err := signed.VerifySignatures(); err != nil {
		t.Error(err)
	}
	// Base58 means its letter case; and the curve has to fit the type.
	refused(t, signTransaction(t, rig, person, "SOLANA", strings.ToUpper(person.SolanaAddress), unsigned), http.StatusNotFound, 5, "Could not find any resource to sign with.")
	refused(t, signTransaction(t, rig, person, "SOLANA", person.EthereumAddress, unsigned), http.StatusBadRequest, 3, "does not require a signature of signWith")
	refused(t, signTransaction(t, rig, person, "ETHEREUM", person.SolanaAddress, unsignedTransfer(t)), http.StatusBadRequest, 3, "invalid curve")
	if rows := count(t, rig, audited); rows != 1 {
		t.Errorf("%d audit rows for 1 signature", rows)
	}
}

// TestReplayedSignature asks twice with the same bytes: one signature, one row.
func TestReplayedSignature(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	body := rig.SubmitBody(t, "SIGN_RAW_PAYLOAD_V2", person.OrganizationID, map[string]any{
		"signWith": person.EthereumAddress, "payload": "hello", "encoding": "PAYLOAD_ENCODING_TEXT_UTF8", "hashFunction": "HASH_FUNCTION_SHA256",
	})
	first := rig.Stamped(t, person.Key, custodytest.SubmitPath("sign_raw_payload"), body)
	accepted(t, first)
	if again := rig.Stamped(t, person.Key, custodytest.SubmitPath("sign_raw_payload"), body); again.Text != first.Text {
		t.Errorf("the replay differs:\n%s\n%s", again.Text, first.Text)
	}
	if rows := count(t, rig, audited); rows != 1 {
		t.Errorf("%d audit rows", rows)
	}
}

// TestNoAuditNoSignature makes the audit table refuse rows: signing stops, reading
// goes on, and nothing has to be repaired afterwards.
func TestNoAuditNoSignature(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	edit(t, rig, "CREATE TRIGGER full BEFORE INSERT ON signature_audit BEGIN SELECT RAISE(ABORT, 'disk full'); END")
	answer := signTransaction(t, rig, person, "ETHEREUM", person.EthereumAddress, unsignedTransfer(t))
	refused(t, answer, http.StatusInternalServerError, 13, "internal server error")
	if strings.Contains(answer.Text, "disk full") || strings.Contains(answer.Text, "signedTransaction") {
		t.Errorf("the answer says too much: %s", answer.Text)
	}
	accepted(t, rig.Query(t, person.Key, "list_wallets", person.OrganizationID))
	if rows := count(t, rig, "SELECT count(*) FROM activities WHERE activity_type LIKE '%SIGN%'"); rows != 0 {
		t.Errorf("%d half-done activities", rows)
	}
	edit(t, rig, "DROP TRIGGER full")
	accepted(t, signTransaction(t, rig, person, "ETHEREUM", person.EthereumAddress, unsignedTransfer(t)))
}

func TestSigningRefuses(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	raw := func(signWith, payload, encoding, hash string) custodytest.Answer {
		return rig.Submit(t, person.Key, "sign_raw_payload", "SIGN_RAW_PAYLOAD_V2", person.OrganizationID,
			map[string]any{"signWith": signWith, "payload": payload, "encoding": "PAYLOAD_ENCODING_" + encoding, "hashFunction": "HASH_FUNCTION_" + hash})
	}
	digest := strings.Repeat("ab", 32)
	refused(t, raw("", digest, "HEXADECIMAL", "NO_OP"), 400, 3, "signWith")
	refused(t, raw(person.EthereumAddress, digest[2:], "HEXADECIMAL", "NO_OP"), 400, 3, "expected a 32-bytes-long digest")
	refused(t, raw(person.EthereumAddress, digest, "HEXADECIMAL", "NOT_APPLICABLE"), 400, 3, "invalid hash function")
	refused(t, raw(person.SolanaAddress, digest, "HEXADECIMAL", "NO_OP"), 400, 3, "invalid hash function")
	refused(t, raw(person.EthereumAddress, "xy", "HEXADECIMAL", "NO_OP"), 400, 3, "invalid payload encoding")
	refused(t, raw(person.EthereumAddress, digest, "EIP712", "NO_OP"), 400, 3, "invalid payload encoding")
	refused(t, signTransaction(t, rig, person, "ETHEREUM", person.EthereumAddress, unsignedTransfer(t)+"00"), 400, 3, "invalid unsigned transaction")
	refused(t, signTransaction(t, rig, person, "BITCOIN", person.EthereumAddress, "00"), 400, 3, "invalid unsigned transaction")
	if rows := count(t, rig, audited); rows != 0 {
		t.Errorf("%d audit rows without a signature", rows)
	}
	accepted(t, raw(person.EthereumAddress, "0x"+digest, "HEXADECIMAL", "NO_OP"))
}

// TestSecretsStayInside looks for secrets in the files that a thief would take, and
// in everything that was logged.
func TestSecretsStayInside(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	session := rig.Submit(t, person.Key, "create_read_only_session", "CREATE_READ_ONLY_SESSION", person.OrganizationID, map[string]any{})
	token, _ := session.Result("createReadOnlySessionResult")["session"].(string)
	_, written := openSession(t, rig, person, map[string]any{})
	sealed, _ := written.Result("createReadWriteSessionResultV2")["credentialBundle"].(string)
	body := custodytest.QueryBody(t, person.OrganizationID)
	header, err := person.Key.Stamp(body)
	if err != nil {
		t.Fatal(err)
	}
	accepted(t, rig.Post(t, custodytest.QueryPath("whoami"), body, stamp.Header, header))
	rig.Post(t, custodytest.QueryPath("whoami"), append(body, ' '), stamp.Header, header)
	rig.Post(t, custodytest.QueryPath("whoami"), body, "X-Session", token+"x")
	edit(t, rig, "UPDATE users SET name = 'Eve' WHERE organization_id = $1", person.OrganizationID)
	rig.Post(t, custodytest.QueryPath("whoami"), body, stamp.Header, header)
	rig.Post(t, custodytest.QueryPath("whoami"), body, "X-Session", token)
	if rig.Log() == "" {
		t.Fatal("nothing was logged")
	}
	places := map[string]string{"the log": rig.Log()}
	files, err := filepath.Glob(filepath.Join(rig.DataDir, "custody.db*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		places[filepath.Base(file)] = string(readFile(t, file))
	}
	for place, content := range places {
		for name, secret := range map[string]string{"session token": token, "credential bundle": sealed, "stamp": header} {
			if secret == "" || strings.Contains(content, secret) {
				t.Errorf("%s holds the %s", place, name)
			}
		}
	}
}

// BenchmarkSign measures one signature over HTTP, stamp and audit
// included.
func BenchmarkSign(b *testing.B) {
	rig := custodytest.Start(b)
	person := rig.CreatePerson(b)
	for b.Loop() {
		answer := rig.Submit(b, person.Key, "sign_raw_payload", "SIGN_RAW_PAYLOAD_V2", person.OrganizationID, map[string]any{
			"signWith": person.EthereumAddress, "payload": "x", "encoding": "PAYLOAD_ENCODING_TEXT_UTF8", "hashFunction": "HASH_FUNCTION_KECCAK256",
		})
		if answer.Status != http.StatusOK {
			b.Fatal(answer.Text)
		}
	}
}
