package fault

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"tenfold/catalog"
)

func TestFriendlyMessages(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../catalog/vectors/messages.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct{ Raw, Row, Shown string }
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	covered, passes := map[string]bool{}, map[string]bool{}
	for _, rule := range catalog.MessageRules() {
		passes[rule.Row] = rule.Shown == nil
	}
	for _, v := range file.Vectors {
		covered[v.Row] = true
		for _, text := range []string{v.Raw, strings.ToUpper(v.Raw)} {
			row, shown := Match(text)
			want := v.Shown
			if passes[v.Row] {
				want = text
			}
			if row != v.Row || shown != want {
				t.Errorf("%q is row %s %q, want %s %q", text, row, shown, v.Row, want)
			}
		}
	}
	for _, rule := range catalog.MessageRules() {
		if !covered[rule.Row] {
			t.Errorf("no vector reaches row %s", rule.Row)
		}
	}
}

func TestDefaultMessageIsTheCatalogs(t *testing.T) {
	t.Parallel()
	if DefaultMessage != catalog.DefaultMessage() {
		t.Errorf("%q and %q differ", DefaultMessage, catalog.DefaultMessage())
	}
	if got := FriendlyMessage(" \n"); got != "" {
		t.Errorf("blank input gives %q", got)
	}
}

// The order of the rows is the point of the table: these texts hold the words of
// a later, broader row as well.
func TestSpecificRowsComeFirst(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"total_cost", "insufficient_funds"},
		{"gas_allowance", "insufficient_funds"},
		{"gas_cost", "insufficient_funds"},
		{"slippage_code", "insufficient_funds"},
		{"duplicate_instruction", "insufficient_funds"},
		{"slippage_message", "insufficient_funds"},
		{"confirmation_timeout", "insufficient_funds"},
		{"custody_error_16", "session"},
		{"not_base58", "invalid_amount_or_recipient"},
		{"amount_too_small", "slippage_message"},
	} {
		place := map[string]int{}
		for i, r := range catalog.MessageRules() {
			place[r.Row] = i
		}
		if place[pair[0]] >= place[pair[1]] {
			t.Errorf("row %s must come before %s", pair[0], pair[1])
		}
	}
}
