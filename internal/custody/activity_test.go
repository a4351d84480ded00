package custody_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tenfold/internal/custody/custodytest"
	"tenfold/internal/stamp"
	"tenfold/internal/stamp/stamptest"
)

func walletNames(t *testing.T, rig *custodytest.Rig, person custodytest.Person) []string {
	t.Helper()
	answer := rig.Query(t, person.Key, "list_wallets", person.OrganizationID)
	var names []string
	for i := 0; answer.At("wallets", i) != nil; i++ {
		names = append(names, answer.TextAt("wallets", i, "walletName"))
	}
	return names
}

func TestEnvelope(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	body := rig.SubmitBody(t, "CREATE_WALLET", person.OrganizationID, map[string]any{
		"walletName": "a <b> & c", "accounts": []any{}, "mnemonicLength": nil, "later": map[string]any{"x": nil, "y": 1},
	})
	answer := rig.Stamped(t, person.Key, custodytest.SubmitPath("create_wallet"), body)
	accepted(t, answer)
	digest := sha256.Sum256(body)
	for path, want := range map[string]any{
		"status": "ACTIVITY_STATUS_COMPLETED", "type": "ACTIVITY_TYPE_CREATE_WALLET", "organizationId": person.OrganizationID,
		"fingerprint": "sha256:" + hex.EncodeToString(digest[:]), "canApprove": false, "canReject": true, "failure": nil,
	} {
		if got := answer.At("activity", path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	intent, _ := answer.At("activity", "intent", "createWalletIntent").(map[string]any)
	if fmt.Sprint(intent) != "map[accounts:[] later:map[y:1] walletName:a <b> & c]" || !strings.Contains(answer.Text, "a <b> & c") {
		t.Errorf("the intent is %v in %s", intent, answer.Text)
	}
	vote := func(path ...any) any { return answer.At(append([]any{"activity", "votes", 0}, path...)...) }
	if vote("selection") != "VOTE_SELECTION_APPROVED" || vote("message") != string(body) || vote("userId") != person.UserID ||
		vote("publicKey") != person.Key.PublicKey() || vote("scheme") != stamp.SchemeP256 || vote("user", "userName") != "Ada" {
		t.Errorf("the vote is %v", vote())
	}
	seconds, err := strconv.ParseInt(answer.TextAt("activity", "createdAt", "seconds"), 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > time.Minute || answer.TextAt("activity", "createdAt", "nanos") != "0" {
		t.Errorf("createdAt is %v", answer.At("activity", "createdAt"))
	}
	again := rig.Query(t, person.Key, "get_activity", person.OrganizationID, "activityId", answer.TextAt("activity", "id"))
	if again.Text != answer.Text {
		t.Errorf("get_activity differs:\n%s\n%s", again.Text, answer.Text)
	}
	// Older clients poll under the parent's id.
	if polled := rig.Query(t, person.Key, "get_activity", rig.Parent.OrganizationID, "activityId", answer.TextAt("activity", "id")); polled.Text != answer.Text {
		t.Errorf("polled under the parent's id: %s", polled.Text)
	}
}

func TestReplay(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	body := rig.SubmitBody(t, "CREATE_WALLET", person.OrganizationID, map[string]any{"walletName": "once", "accounts": []any{}})
	first := rig.Stamped(t, person.Key, custodytest.SubmitPath("create_wallet"), body)
	accepted(t, first)
	if again := rig.Stamped(t, person.Key, custodytest.SubmitPath("create_wallet"), body); again.Text != first.Text {
		t.Errorf("the replay differs:\n%s\n%s", again.Text, first.Text)
	}
	if names := walletNames(t, rig, person); len(names) != 2 {
		t.Errorf("wallets: %v", names)
	}
	other := rig.CreatePerson(t)
	refused(t, rig.Stamped(t, other.Key, custodytest.SubmitPath("create_wallet"), body), http.StatusUnauthorized, 16, "could not find public key")
	rig.Advance(time.Hour + time.Minute)
	refused(t, rig.Stamped(t, person.Key, custodytest.SubmitPath("create_wallet"), body), http.StatusBadRequest, 3, "invalid timestampMs")
}

// TestReplayedSecrets sends session requests twice: the second answer has the
// same activity and no secret.
func TestReplayedSecrets(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	_, target := newTarget(t)
	tests := map[string]struct {
		kind, result, secret string
		parameters           map[string]any
	}{
		"create_read_only_session":  {"CREATE_READ_ONLY_SESSION", "createReadOnlySessionResult", "session", map[string]any{}},
		"create_read_write_session": {"CREATE_READ_WRITE_SESSION_V2", "createReadWriteSessionResultV2", "credentialBundle", map[string]any{"targetPublicKey": target}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := rig.SubmitBody(t, test.kind, person.OrganizationID, test.parameters)
			first := rig.Stamped(t, person.Key, custodytest.SubmitPath(name), body)
			accepted(t, first)
			secret, _ := first.Result(test.result)[test.secret].(string)
			if secret == "" {
				t.Fatalf("no secret in %s", first.Text)
			}
			again := rig.Stamped(t, person.Key, custodytest.SubmitPath(name), body)
			accepted(t, again)
			read := rig.Query(t, person.Key, "get_activity", person.OrganizationID, "activityId", first.TextAt("activity", "id"))
			for _, later := range []custodytest.Answer{again, read} {
				if later.TextAt("activity", "id") != first.TextAt("activity", "id") || strings.Contains(later.Text, secret) {
					t.Errorf("later answer: %s", later.Text)
				}
				if later.Result(test.result)["userId"] != person.UserID {
					t.Errorf("the rest of the result is gone: %s", later.Text)
				}
			}
		})
	}
}

func TestSameBodyAtOnce(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	body := rig.SubmitBody(t, "CREATE_WALLET", person.OrganizationID, map[string]any{"walletName": "once", "accounts": []any{}})
	const senders = 16
	texts := make([]string, senders)
	var group sync.WaitGroup
	for i := range senders {
		group.Go(func() {
			texts[i] = rig.Stamped(t, person.Key, custodytest.SubmitPath("create_wallet"), body).Text
		})
	}
	group.Wait()
	for _, text := range texts {
		if text != texts[0] {
			t.Errorf("answers differ:\n%s\n%s", text, texts[0])
		}
	}
	if names := walletNames(t, rig, person); len(names) != 2 {
		t.Errorf("wallets: %v", names)
	}
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	now := rig.Now().UnixMilli()
	write := func(kind string, timestamp any, organization, parameters string) []byte {
		return fmt.Appendf(nil, `{"type":%q,"timestampMs":%v,"organizationId":%q,"parameters":%s}`, kind, timestamp, organization, parameters)
	}
	const wallet, empty = "ACTIVITY_TYPE_CREATE_WALLET", `{"walletName":"x","accounts":[]}`
	quoted := fmt.Sprintf(`"%d"`, now)
	good := string(write(wallet, quoted, person.OrganizationID, empty))
	tests := map[string]struct {
		body    string
		message string
	}{
		"fail/not JSON":           {"{", "bad request body"},
		"fail/empty body":         {"", "bad request body"},
		"fail/array":              {"[]", "bad request body"},
		"fail/two values":         {good + "{}", "bad request body"},
		"fail/duplicate key":      {strings.Replace(good, "{", `{"type":"ACTIVITY_TYPE_SIGN_TRANSACTION_V2",`, 1), "bad request body"},
		"fail/duplicate by case":  {strings.Replace(good, "{", `{"OrganizationId":"`+rig.Parent.OrganizationID+`",`, 1), "bad request body"},
		"fail/duplicate inside":   {strings.Replace(good, `"walletName"`, `"walletName":"y","walletName"`, 1), "bad request body"},
		"fail/nested too deep":    {strings.Replace(good, `"accounts":[]`, `"accounts":`+strings.Repeat("[", 70)+strings.Repeat("]", 70), 1), "bad request body"},
		"fail/other type":         {string(write("ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS", quoted, person.OrganizationID, empty)), "is not served at create_wallet"},
		"fail/unknown version":    {string(write(wallet+"_V9", quoted, person.OrganizationID, empty)), "is not served at create_wallet"},
		"fail/no type":            {string(write("", quoted, person.OrganizationID, empty)), "is not served at create_wallet"},
		"fail/an hour old":        {string(write(wallet, now-3_600_001, person.OrganizationID, empty)), "invalid timestampMs"},
		"fail/far ahead":          {string(write(wallet, now+310_000, person.OrganizationID, empty)), "invalid timestampMs"},
		"fail/seconds":            {string(write(wallet, now/1000, person.OrganizationID, empty)), "invalid timestampMs"},
		"fail/null time":          {string(write(wallet, "null", person.OrganizationID, empty)), "invalid timestampMs"},
		"fail/time as text":       {string(write(wallet, `"now"`, person.OrganizationID, empty)), "bad request body"},
		"fail/time too large":     {string(write(wallet, `"99999999999999999999"`, person.OrganizationID, empty)), "bad request body"},
		"fail/time with fraction": {string(write(wallet, fmt.Sprintf("%d.5", now), person.OrganizationID, empty)), "bad request body"},
		"fail/no organization":    {string(write(wallet, quoted, "", empty)), "malformed organization ID provided"},
		"fail/upper-case id":      {string(write(wallet, quoted, strings.ToUpper(person.OrganizationID), empty)), "malformed organization ID provided"},
		"fail/id in braces":       {string(write(wallet, quoted, "{"+person.OrganizationID+"}", empty)), "malformed organization ID provided"},
		"fail/null parameters":    {string(write(wallet, quoted, person.OrganizationID, "null")), "missing parameters"},
		"fail/list of parameters": {string(write(wallet, quoted, person.OrganizationID, "[]")), "missing parameters"},
		"fail/wrong type inside":  {string(write(wallet, quoted, person.OrganizationID, `{"walletName":1}`)), "bad request body"},
	}
	t.Run("all", func(t *testing.T) {
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				refused(t, rig.Stamped(t, person.Key, custodytest.SubmitPath("create_wallet"), []byte(test.body)), http.StatusBadRequest, 3, test.message)
			})
		}
	})
	if names := walletNames(t, rig, person); len(names) != 1 {
		t.Errorf("a refused request left wallets: %v", names)
	}
}

// TestNullsAndNumbers sends what other official clients send: nulls for absent
// fields, a timestamp as a number, an unknown field.
func TestNullsAndNumbers(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	person := rig.CreatePerson(t)
	body := fmt.Appendf(nil, `{"type":"ACTIVITY_TYPE_CREATE_WALLET","timestampMs":%d,"organizationId":%q,"generateAppProofs":null,
		"parameters":{"walletName":"nulls","accounts":[{"curve":"CURVE_ED25519","pathFormat":"PATH_FORMAT_BIP32","path":"m/44'/501'/0'/0'","addressFormat":"ADDRESS_FORMAT_SOLANA","name":null}],"mnemonicLength":null}}`,
		rig.Now().UnixMilli(), person.OrganizationID)
	accepted(t, rig.Stamped(t, person.Key, custodytest.SubmitPath("create_wallet"), body))
}

// TestSubOrganizationRefuses leaves nothing behind, whatever is wrong.
func TestSubOrganizationRefuses(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	key := stamptest.NewSigner(t)
	passkey := stamptest.NewPasskey(t, custodytest.RPID, custodytest.Origin)
	evil := stamptest.NewPasskey(t, custodytest.RPID, "http://evil.example")
	user := func(p map[string]any) map[string]any { return p["rootUsers"].([]any)[0].(map[string]any) }
	apiKey := func(p map[string]any) map[string]any { return user(p)["apiKeys"].([]map[string]any)[0] }
	account := func(p map[string]any) map[string]string {
		return p["wallet"].(map[string]any)["accounts"].([]map[string]string)[1]
	}
	tests := map[string]struct {
		change  func(p map[string]any)
		code    int
		message string
	}{
		"fail/no name":             {func(p map[string]any) { p["subOrganizationName"] = "" }, 3, "subOrganizationName"},
		"fail/endless name":        {func(p map[string]any) { p["subOrganizationName"] = strings.Repeat("x", 300) }, 3, "longer than"},
		"fail/no users":            {func(p map[string]any) { p["rootUsers"] = []any{} }, 3, "quorum users missing"},
		"fail/threshold 0":         {func(p map[string]any) { p["rootQuorumThreshold"] = 0 }, 3, "quorum threshold must be non-zero integer"},
		"fail/threshold negative":  {func(p map[string]any) { p["rootQuorumThreshold"] = -1 }, 3, "quorum threshold must be non-zero integer"},
		"fail/threshold above":     {func(p map[string]any) { p["rootQuorumThreshold"] = 2 }, 3, "exceeds"},
		"fail/threshold overflow":  {func(p map[string]any) { p["rootQuorumThreshold"] = 1 << 32 }, 3, "bad request body"},
		"fail/no credential":       {func(p map[string]any) { user(p)["apiKeys"] = nil }, 3, "user missing valid credential"},
		"fail/no user name":        {func(p map[string]any) { user(p)["userName"] = "" }, 3, "userName"},
		"fail/OAuth provider":      {func(p map[string]any) { user(p)["oauthProviders"] = []any{map[string]any{}} }, 3, "not supported"},
		"fail/verification token":  {func(p map[string]any) { p["verificationToken"] = "token" }, 3, "not supported"},
		"fail/bad key":             {func(p map[string]any) { apiKey(p)["publicKey"] = "02" + strings.Repeat("0", 63) + "1" }, 3, "invalid api key public key"},
		"fail/key of other curve":  {func(p map[string]any) { apiKey(p)["curveType"] = "API_KEY_CURVE_ED25519" }, 3, "unsupported API key curve"},
		"fail/expiration 0":        {func(p map[string]any) { apiKey(p)["expirationSeconds"] = "0" }, 3, "invalid api key expiration"},
		"fail/expiration negative": {func(p map[string]any) { apiKey(p)["expirationSeconds"] = "-1" }, 3, "invalid api key expiration"},
		"fail/expiration endless":  {func(p map[string]any) { apiKey(p)["expirationSeconds"] = "9223372036854775807" }, 3, "invalid api key expiration"},
		"fail/expiration as text":  {func(p map[string]any) { apiKey(p)["expirationSeconds"] = "soon" }, 3, "bad request body"},
		"fail/key twice":           {func(p map[string]any) { user(p)["apiKeys"] = []any{apiKey(p), apiKey(p)} }, 6, "already exists"},
		"fail/foreign passkey":     {func(p map[string]any) { user(p)["authenticators"] = []any{custodytest.Authenticator(t, evil)} }, 3, "invalid authenticator attestation"},
		"fail/replayed attestation": {func(p map[string]any) {
			authenticator := custodytest.Authenticator(t, passkey)
			authenticator["challenge"] = stamptest.Challenge()
			user(p)["authenticators"] = []any{authenticator}
		}, 3, "invalid authenticator attestation"},
		"fail/no attestation": {func(p map[string]any) {
			user(p)["authenticators"] = []any{map[string]any{"authenticatorName": "x", "challenge": "AAAA"}}
		}, 3, "missing parameter: user authenticator attestation"},
		"fail/passkey twice": {func(p map[string]any) {
			user(p)["authenticators"] = []any{custodytest.Authenticator(t, passkey), custodytest.Authenticator(t, passkey)}
		}, 6, "already exists"},
		"fail/eleven keys for good": {func(p map[string]any) {
			keys := []any{}
			for range 11 {
				keys = append(keys, custodytest.APIKey(stamptest.NewSigner(t), ""))
			}
			user(p)["apiKeys"] = keys
		}, 8, "user has exceeded maximum long-lived api keys"},
		"fail/eleven passkeys": {func(p map[string]any) {
			user(p)["authenticators"] = make([]any, 11)
		}, 8, "user has exceeded maximum authenticators"},
		"fail/wallet without name": {func(p map[string]any) { p["wallet"].(map[string]any)["walletName"] = "" }, 3, "walletName"},
		"fail/mnemonic of 13":      {func(p map[string]any) { p["wallet"].(map[string]any)["mnemonicLength"] = 13 }, 3, "invalid mnemonic length"},
		"fail/no curve":            {func(p map[string]any) { account(p)["curve"] = "" }, 3, "curve required"},
		"fail/other curve":         {func(p map[string]any) { account(p)["curve"] = "CURVE_SECP256K1" }, 3, "invalid curve"},
		"fail/path format":         {func(p map[string]any) { account(p)["pathFormat"] = "PATH_FORMAT_X" }, 3, "invalid path format"},
		"fail/soft step":           {func(p map[string]any) { account(p)["path"] = "m/44'/501'/0'/0" }, 3, "invalid path"},
		"fail/address format":      {func(p map[string]any) { account(p)["addressFormat"] = "ADDRESS_FORMAT_DOGE_MAINNET" }, 3, "invalid address format"},
	}
	t.Run("all", func(t *testing.T) {
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				parameters := custodytest.SubOrganization([]map[string]any{custodytest.APIKey(key, "")}, nil)
				test.change(parameters)
				answer := rig.Submit(t, rig.ParentKey, "create_sub_organization", "CREATE_SUB_ORGANIZATION_V8", rig.Parent.OrganizationID, parameters)
				if answer.Status == http.StatusOK || answer.Code() != test.code || !strings.Contains(answer.Message(), test.message) {
					t.Errorf("want code %d, %q; got %d %s", test.code, test.message, answer.Status, answer.Text)
				}
			})
		}
	})
	refused(t, rig.Query(t, key, "whoami", rig.Parent.OrganizationID), http.StatusUnauthorized, 16, "could not find public key")
}
