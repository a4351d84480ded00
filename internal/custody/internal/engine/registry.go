package engine

import (
	"encoding/json"

	"tenfold/internal/custody/internal/authn"
	"tenfold/internal/custody/wire"
)

// typePrefix stands before every activity type.
const typePrefix = "ACTIVITY_TYPE_"

// outcome is what an activity produced. stored is kept and shown again; disclosed,
// when not nil, is shown in its place once, in the first answer.
type outcome struct {
	stored    any
	disclosed any
}

// activity is one version of one activity type.
type activity struct {
	name      string // ACTIVITY_TYPE_…
	intentKey string
	resultKey string
	access    authn.Access
	execute   func(run execution, parameters json.RawMessage) (outcome, error)
}

// versions maps the activity types served at one path to what carries them out.
type versions map[string]activity

// activities is the registry: path, then type with its version. A new version is
// one more entry.
var activities = map[string]versions{
	"create_sub_organization": serve(
		define("CREATE_SUB_ORGANIZATION_V7", "createSubOrganizationIntentV7", "createSubOrganizationResultV7", authn.Write, createSubOrganization),
		define("CREATE_SUB_ORGANIZATION_V8", "createSubOrganizationIntentV8", "createSubOrganizationResultV8", authn.Write, createSubOrganization),
	),
	"create_wallet": serve(
		define("CREATE_WALLET", "createWalletIntent", "createWalletResult", authn.Write, createWallet),
	),
	"create_wallet_accounts": serve(
		define("CREATE_WALLET_ACCOUNTS", "createWalletAccountsIntent", "createWalletAccountsResult", authn.Write, createWalletAccounts),
	),
	"create_read_only_session": serve(
		define("CREATE_READ_ONLY_SESSION", "createReadOnlySessionIntent", "createReadOnlySessionResult", authn.Discover, createReadOnlySession),
	),
	"create_read_write_session": serve(
		define("CREATE_READ_WRITE_SESSION_V2", "createReadWriteSessionIntentV2", "createReadWriteSessionResultV2", authn.Discover, createReadWriteSession),
	),
	"sign_raw_payload": serve(
		define("SIGN_RAW_PAYLOAD_V2", "signRawPayloadIntentV2", "signRawPayloadResult", authn.Write, signRawPayload),
	),
	"sign_transaction": serve(
		define("SIGN_TRANSACTION_V2", "signTransactionIntentV2", "signTransactionResult", authn.Write, signTransaction),
	),
}

// define makes a registry entry of a function on decoded parameters.
func define[P any](name, intentKey, resultKey string, access authn.Access, run func(execution, P) (outcome, error)) activity {
	return activity{
		name: typePrefix + name, intentKey: intentKey, resultKey: resultKey, access: access,
		execute: func(r execution, raw json.RawMessage) (outcome, error) {
			var parameters P
			if err := wire.Decode(raw, &parameters); err != nil {
				return outcome{}, err
			}
			return run(r, parameters)
		},
	}
}

func serve(kinds ...activity) versions {
	byType := make(versions, len(kinds))
	for _, kind := range kinds {
		byType[kind.name] = kind
	}
	return byType
}

// kindOf finds the entry of a stored activity.
func kindOf(name string) (activity, bool) {
	for _, byType := range activities {
		if kind, found := byType[name]; found {
			return kind, true
		}
	}
	return activity{}, false
}
