package secret_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoWeakRandomness keeps math/rand out of every package that makes or holds
// keys.
func TestNoWeakRandomness(t *testing.T) {
	t.Parallel()
	files := 0
	for _, folder := range []string{"bundle", "custody", "hd", "seal", "secret", "sqldb", "stamp"} {
		err := filepath.WalkDir(filepath.Join("..", folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			files++
			parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, spec := range parsed.Imports {
				if strings.HasPrefix(spec.Path.Value, `"math/rand`) {
					t.Errorf("%s imports %s; keys need crypto/rand", path, spec.Path.Value)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files == 0 {
		t.Error("no file was looked at")
	}
}
