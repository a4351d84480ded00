package fault

import (
	"strings"

	"tenfold/catalog"
)

// RowEmpty and RowDefault name the two answers of the message table that are no
// rules: for empty input, and when no rule matches.
const (
	RowEmpty   = "empty"
	RowDefault = "default"
)

// FriendlyMessage is the text that a person sees for a raw error text of a node,
// a venue or a browser (specification, section 8): the first matching row of the
// catalog's table, the default when there is none, nothing for nothing. It is the
// last resort: a structured code is better than any text.
func FriendlyMessage(raw string) string {
	_, shown := Match(raw)
	return shown
}

// Match also names the row, for logs and tests.
func Match(raw string) (row, shown string) {
	if strings.TrimSpace(raw) == "" {
		return RowEmpty, ""
	}
	normalised := strings.ReplaceAll(strings.ToLower(raw), "_", " ")
	for _, rule := range catalog.MessageRules() {
		if !rule.Matches(normalised) {
			continue
		}
		if rule.Shown == nil {
			return rule.Row, raw
		}
		return rule.Row, *rule.Shown
	}
	return RowDefault, catalog.DefaultMessage()
}
