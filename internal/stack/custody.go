package stack

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tenfold/internal/custody"
	"tenfold/internal/stamp"
)

// custodyKey is the file with which the app server stamps as the parent
// organization. The key pair is written before custody is initialised with it,
// and the organization id after, so that a crash in between loses nothing.
type custodyKey struct {
	OrganizationID string `json:"organizationId"`
	APIPublicKey   string `json:"apiPublicKey"` // compressed P-256 point, hex
	// APIPrivateKey is the P-256 scalar as JSON text, hex in quotes. It is only
	// carried from file to file, and as bytes so that it can be wiped.
	APIPrivateKey json.RawMessage `json:"apiPrivateKey"`
}

const organizationName = "Tenfold"

// prepareCustody makes sure that custody has its parent organization and the
// app server the key file for it, and gives the file's path.
func prepareCustody(ctx context.Context, custodyDir, appDir string) (string, error) {
	if err := os.MkdirAll(appDir, 0o700); err != nil {
		return "", fmt.Errorf("make the app server's folder: %w", err)
	}
	path := filepath.Join(appDir, "custody-key.json")
	key, err := readOrMakeKey(path)
	if err != nil {
		return "", err
	}
	defer clear(key.APIPrivateKey)
	parent, err := custody.EnsureInitialised(ctx, custodyDir, organizationName, key.APIPublicKey)
	if err != nil {
		return "", fmt.Errorf("initialise custody: %w", err)
	}
	if key.OrganizationID == parent.OrganizationID {
		return path, nil
	}
	key.OrganizationID = parent.OrganizationID
	return path, writeKey(path, key)
}

func readOrMakeKey(path string) (custodyKey, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		key, err := newKey()
		if err != nil {
			return custodyKey{}, err
		}
		return key, writeKey(path, key)
	}
	if err != nil {
		return custodyKey{}, fmt.Errorf("read the custody key file: %w", err)
	}
	defer clear(raw)
	var key custodyKey
	if err := json.Unmarshal(raw, &key); err != nil {
		return custodyKey{}, fmt.Errorf("read the custody key file %s: %w", path, err)
	}
	return key, nil
}

func newKey() (custodyKey, error) {
	scalar, public, err := stamp.NewKey()
	if err != nil {
		return custodyKey{}, fmt.Errorf("make the app server's custody key: %w", err)
	}
	defer scalar.Wipe()
	private := make([]byte, 0, hex.EncodedLen(scalar.Len())+len(`""`)) // growing would leave a copy behind
	private = append(hex.AppendEncode(append(private, '"'), scalar.Expose()), '"')
	return custodyKey{APIPublicKey: public, APIPrivateKey: private}, nil
}

// writeKey replaces the file as a whole: a crash leaves the old or the new one.
func writeKey(path string, key custodyKey) error {
	raw, err := json.MarshalIndent(key, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the custody key file: %w", err)
	}
	raw = append(raw, '\n')
	defer clear(raw)
	temporary, err := os.CreateTemp(filepath.Dir(path), ".custody-key-*") // made 0600
	if err != nil {
		return fmt.Errorf("write the custody key file: %w", err)
	}
	defer func() { _ = os.Remove(temporary.Name()) }()
	_, err = temporary.Write(raw)
	if err := errors.Join(err, temporary.Sync(), temporary.Close()); err != nil {
		return fmt.Errorf("write the custody key file: %w", err)
	}
	if err := os.Rename(temporary.Name(), path); err != nil {
		return fmt.Errorf("write the custody key file: %w", err)
	}
	return nil
}
