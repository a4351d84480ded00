package sqldb_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// TestDriverPair checks that the driver's C library is the version that the
// driver was released with: another one compiles, and corrupts memory.
func TestDriverPair(t *testing.T) {
	t.Parallel()
	type module struct{ Version, GoMod string }
	read := func(path string) (m module) {
		t.Helper()
		output, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-json", path).Output()
		if err != nil {
			t.Fatalf("go list %s: %v", path, err)
		}
		if err := json.Unmarshal(output, &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	driver, library := read("modernc.org/sqlite"), read("modernc.org/libc")
	requirements, err := os.ReadFile(driver.GoMod)
	if err != nil {
		t.Fatal(err)
	}
	wanted := regexp.MustCompile(`modernc\.org/libc (v\S+)`).FindSubmatch(requirements)
	if wanted == nil || string(wanted[1]) != library.Version {
		t.Errorf("modernc.org/sqlite %s wants modernc.org/libc %s, the build has %s", driver.Version, wanted[1], library.Version)
	}
}
