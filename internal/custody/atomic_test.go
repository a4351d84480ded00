package custody_test

import (
	"net/http"
	"testing"

	"tenfold/internal/custody/custodytest"
	"tenfold/internal/stamp/stamptest"
)

// TestAllOrNothing lets the store fail at each table that making a sub-organization
// writes to: nothing is left, and the same request works once the store does.
func TestAllOrNothing(t *testing.T) {
	t.Parallel()
	rig := custodytest.Start(t)
	tables := []string{"organizations", "data_keys", "users", "api_keys", "authenticators", "wallets", "wallet_accounts", "activities", "votes"}
	rows := func(t *testing.T) (total int) {
		t.Helper()
		for _, table := range tables {
			total += count(t, rig, "SELECT count(*) FROM "+table)
		}
		return total
	}
	events := map[string]string{"the activity's result": "UPDATE ON activities"}
	for _, table := range tables {
		events[table] = "INSERT ON " + table
	}
	for name, event := range events {
		t.Run("fail/"+name, func(t *testing.T) {
			passkey := stamptest.NewPasskey(t, custodytest.RPID, custodytest.Origin)
			body := rig.SubmitBody(t, "CREATE_SUB_ORGANIZATION_V7", rig.Parent.OrganizationID, custodytest.SubOrganization(
				[]map[string]any{custodytest.APIKey(stamptest.NewSigner(t), "900")},
				[]map[string]any{custodytest.Authenticator(t, passkey)}))
			before := rows(t)
			edit(t, rig, "CREATE TRIGGER fault BEFORE "+event+" BEGIN SELECT RAISE(ABORT, 'disk full'); END")
			answer := rig.Stamped(t, rig.ParentKey, custodytest.SubmitPath("create_sub_organization"), body)
			refused(t, answer, http.StatusInternalServerError, 13, "internal server error")
			if after := rows(t); after != before {
				t.Errorf("%d rows were left", after-before)
			}
			edit(t, rig, "DROP TRIGGER fault")
			accepted(t, rig.Stamped(t, rig.ParentKey, custodytest.SubmitPath("create_sub_organization"), body))
		})
	}
}
