package catalog

import (
	"fmt"
	"regexp"
	"strings"
)

// MessageRule is one row of the friendly-message table (specification, section
// 8). It matches a raw error text that has been normalised (small letters, "_"
// as a blank) when the text equals one of Exact, or holds all parts of one entry
// of Contains, or matches one of Patterns. Patterns use only syntax that means
// the same in Go and in JavaScript.
type MessageRule struct {
	Row      string     `json:"row"`
	Shown    *string    `json:"shown"` // nil: the raw text is shown as it came
	Exact    []string   `json:"exact,omitempty"`
	Contains [][]string `json:"contains,omitempty"`
	Patterns []string   `json:"patterns,omitempty"`

	compiled []*regexp.Regexp
}

// Matches tells whether the rule applies to a normalised text.
func (r MessageRule) Matches(normalised string) bool {
	for _, text := range r.Exact {
		if normalised == text {
			return true
		}
	}
	for _, parts := range r.Contains {
		if containsAll(normalised, parts) {
			return true
		}
	}
	for _, pattern := range r.compiled {
		if pattern.MatchString(normalised) {
			return true
		}
	}
	return false
}

func containsAll(text string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

var messages struct {
	Schema  string        `json:"$schema"`
	Default string        `json:"default"`
	Rules   []MessageRule `json:"rules"`
}

func init() {
	mustRead("messages.json", &messages)
	if err := compileMessages(messages.Rules); err != nil {
		panic(fmt.Sprintf("catalog: %v", err))
	}
}

// compileMessages compiles the patterns and refuses a rule that can never apply.
func compileMessages(rules []MessageRule) error {
	rows := map[string]bool{}
	for i := range rules {
		r := &rules[i]
		if rows[r.Row] || len(r.Exact)+len(r.Contains)+len(r.Patterns) == 0 {
			return fmt.Errorf("message rule %q is there twice or matches nothing", r.Row)
		}
		rows[r.Row] = true
		for _, parts := range append(append([][]string{}, r.Contains...), r.Exact) {
			for _, text := range parts {
				if text == "" || text != strings.ReplaceAll(strings.ToLower(text), "_", " ") {
					return fmt.Errorf("message rule %q can't match %q: texts are normalised", r.Row, text)
				}
			}
		}
		for _, source := range r.Patterns {
			pattern, err := regexp.Compile(source)
			if err != nil {
				return fmt.Errorf("message rule %q: %w", r.Row, err)
			}
			r.compiled = append(r.compiled, pattern)
		}
	}
	return nil
}

// MessageRules are the rows of the table in the order in which they are tried;
// the first that matches wins.
func MessageRules() []MessageRule { return append([]MessageRule(nil), messages.Rules...) }

// DefaultMessage is shown when no row matches.
func DefaultMessage() string { return messages.Default }
