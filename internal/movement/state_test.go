package movement_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tenfold/internal/movement"
)

// TestMoves walks every pair of states. The wanted moves are written down again
// on purpose: a change of the table must be meant.
func TestMoves(t *testing.T) {
	t.Parallel()
	want := map[movement.State]string{
		"draft":           "needs_signature",
		"needs_signature": "signed cancelled expired",
		"signed":          "sent failed expired",
		"sent":            "confirming failed expired",
		"confirming":      "bridging done failed expired",
		"bridging":        "delivering delayed needs_action refunded",
		"delivering":      "delayed needs_action done",
		"delayed":         "delivering needs_action done refunded",
		"needs_action":    "delivering done refunded",
	}
	for _, from := range movement.States() {
		allowed := strings.Fields(want[from])
		for _, to := range movement.States() {
			if got := from.MayBecome(to); got != slices.Contains(allowed, string(to)) {
				t.Errorf("%s → %s is %v", from, to, got)
			}
		}
		if from.Final() != (len(allowed) == 0) {
			t.Errorf("%s final: %v", from, from.Final())
		}
		if from.Final() && from.Running() {
			t.Errorf("%s is final and running", from)
		}
	}
	if movement.State("lost").Final() || movement.State("lost").Running() {
		t.Error("an unknown state counts as something")
	}
}

// TestEveryStateIsReachable finds rows that nothing leads to.
func TestEveryStateIsReachable(t *testing.T) {
	t.Parallel()
	reached := map[movement.State]bool{movement.Drafted: true}
	for range movement.States() {
		for _, from := range movement.States() {
			for _, to := range movement.States() {
				if reached[from] && from.MayBecome(to) {
					reached[to] = true
				}
			}
		}
	}
	for _, s := range movement.States() {
		if !reached[s] {
			t.Errorf("nothing leads to %s", s)
		}
	}
}

// TestSchemaKnowsTheStates compares the SQL constraints with the domain's lists.
func TestSchemaKnowsTheStates(t *testing.T) {
	t.Parallel()
	schema, err := os.ReadFile("../appdb/migrations/00001_first.sql")
	if err != nil {
		t.Fatal(err)
	}
	checks := regexp.MustCompile(`(?s)CHECK \(state IN \(([^)]*)\)`).FindAllStringSubmatch(string(schema), -1)
	if len(checks) != 2 {
		t.Fatalf("the schema has %d state constraints, want those of movements and of steps", len(checks))
	}
	compare := func(what, constraint string, want []string) {
		var got []string
		for _, quoted := range regexp.MustCompile(`'([a-z_]+)'`).FindAllStringSubmatch(constraint, -1) {
			got = append(got, quoted[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the schema allows %v, the domain has %v", what, got, want)
		}
	}
	compare("movements", checks[0][1], texts(movement.States()))
	compare("steps", checks[1][1], texts(movement.StepStates()))
}

func texts[T ~string](values []T) []string {
	var list []string
	for _, v := range values {
		list = append(list, string(v))
	}
	return list
}
