package venue_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// A swap that reverts is a failure, with the reason.
func TestRevertedSwapIsAFailure(t *testing.T) {
	t.Parallel()
	user := newEVMUser(t, base)
	usdc := asset(t, base, "USDC")
	q := quote(t, pair(t, base, "USDC", base, "native", coins(5, usdc)).with(object{"user": user.address.Hex()}))
	receipt := user.send(t, q.Steps[1].evmData(t)) // without its approval
	if receipt.Status != 0 {
		t.Fatal("the swap went through without an approval")
	}
	index(t, base, receipt.TxHash.Hex(), q.Steps[0].RequestID)
	if status := final(t, q, "failure"); status.FailReason != "EXECUTION_REVERTED" || len(status.TxHashes) != 0 {
		t.Errorf("status %+v", status)
	}
}

// Only the quoted transaction settles an order: not the user's approval, and not
// somebody else's.
func TestForeignTransactionsDoNotSettleAnOrder(t *testing.T) {
	t.Parallel()
	user, other := newEVMUser(t, base), newEVMUser(t, base)
	usdc := asset(t, base, "USDC")
	request := pair(t, base, "USDC", base, "native", coins(5, usdc))
	q := quote(t, request.with(object{"user": user.address.Hex()}))
	otherHash, _ := other.execute(t, quote(t, request.with(object{"user": other.address.Hex()})))
	approval := user.send(t, q.Steps[0].evmData(t))
	unknown := "0x" + strings.Repeat("ab", 32)
	for _, hash := range []string{otherHash, approval.TxHash.Hex(), unknown} {
		index(t, base, hash, q.Steps[0].RequestID)
		if status := statusOf(t, q); status.Status == "success" || status.Status == "failure" {
			t.Errorf("after %s the status is %s", hash, status.Status)
		}
	}
	swap := user.send(t, q.Steps[1].evmData(t))
	index(t, base, swap.TxHash.Hex(), q.Steps[0].RequestID)
	if status := final(t, q, "success"); len(status.TxHashes) != 1 || status.TxHashes[0] != swap.TxHash.Hex() {
		t.Errorf("settled by %v, want %s", status.TxHashes, swap.TxHash)
	}
}

func TestSingleTakesTheDataAsText(t *testing.T) {
	t.Parallel()
	user := newEVMUser(t, base)
	q := quote(t, pair(t, base, "native", base, "wrapped", coins(1, asset(t, base, "native"))).with(object{"user": user.address.Hex()}))
	receipt := user.send(t, q.Steps[0].evmData(t))
	var fields map[string]any
	if err := json.Unmarshal(q.Steps[0].Items[0].Data, &fields); err != nil {
		t.Fatal(err)
	}
	fields["txHash"] = receipt.TxHash.Hex()
	tx, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	var answer errorJSON
	call(t, http.MethodPost, "/transactions/single", object{
		"requestId": q.Steps[0].RequestID, "chainId": 8453, "tx": string(tx), // the number that the schema calls text
	}, &answer, nil)
	final(t, q, "success")
}

func TestBadIndexingCallsAreRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		path string
		body any
	}{
		{"/transactions/index", object{"chainId": "10", "txHash": "0x1"}},
		{"/transactions/index", object{"chainId": "8453"}},
		{"/transactions/index", object{"chainId": "base", "txHash": "0x1"}},
		{"/transactions/index", []byte("{")},
		{"/transactions/single", object{"chainId": "8453", "requestId": "0x1", "tx": "not JSON"}},
		{"/transactions/single", object{"chainId": "8453", "requestId": "0x1", "tx": "{}"}},
	} {
		var answer errorJSON
		if status := call(t, http.MethodPost, test.path, test.body, nil, &answer); status != http.StatusBadRequest || answer.Message == "" {
			t.Errorf("%s %v: %d %+v", test.path, test.body, status, answer)
		}
	}
}

func TestStatusOfNothing(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "0x12", "nonsense"} {
		var answer errorJSON
		if status := call(t, http.MethodGet, "/intents/status/v3?requestId="+id, nil, nil, &answer); status != http.StatusBadRequest {
			t.Errorf("id %q: %d", id, status)
		}
	}
	var unknown statusJSON
	call(t, http.MethodGet, "/intents/status/v3?requestId=0x"+strings.Repeat("0", 64), nil, &unknown, nil)
	if unknown.Status != "waiting" || unknown.InTxHashes == nil || unknown.TxHashes == nil {
		t.Errorf("an unknown order is %+v", unknown)
	}
}

// A client sees a word that it does not know before the end, and in v2 another
// name for the time.
func TestStatusOddities(t *testing.T) {
	t.Parallel()
	user, recipient := newEVMUser(t, base), newEVMUser(t)
	q := bridge(t, user, recipient.address, object{"referrer": "fault-unknown-status"})
	user.execute(t, q)
	seen := map[string]bool{}
	eventually(t, "the end", func() bool {
		status := statusOf(t, q).Status
		seen[status] = true
		return status == "success"
	})
	if !seen["delayed"] {
		t.Errorf("statuses seen: %v", seen)
	}
	var second struct {
		Status   string   `json:"status"`
		TxHashes []string `json:"txHashes"`
		Time     int64    `json:"time"`
	}
	call(t, http.MethodGet, "/intents/status/v2?requestId="+q.Steps[0].RequestID, nil, &second, nil)
	if second.Status != "success" || len(second.TxHashes) != 1 || second.Time == 0 {
		t.Errorf("v2 says %+v", second)
	}
}
