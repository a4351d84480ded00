package server_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenfold/internal/server"
)

// TestCommittedDocument fails when the API changed and the committed document,
// from which the page's client is generated, did not.
func TestCommittedDocument(t *testing.T) {
	t.Parallel()
	var emitted bytes.Buffer
	command := server.OpenAPICommand{Out: &emitted}
	if err := command.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile("../../api/app.openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(committed), emitted.String()); diff != "" {
		t.Errorf("api/app.openapi.json is not what the code says; run tenfold openapi > api/app.openapi.json\n%s", diff)
	}
}
