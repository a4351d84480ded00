package server

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"

	"tenfold/internal/secret"
	"tenfold/internal/stamp"
)

// custodyKey is the parent organization's API key.
type custodyKey struct {
	organizationID string
	signer         *stamp.Signer
}

// readCustodyKey reads the key file, which only its owner may read, and proves
// that its two halves belong together.
func readCustodyKey(path string) (custodyKey, error) {
	info, err := os.Stat(path)
	if err != nil {
		return custodyKey{}, fmt.Errorf("read the custody key file: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return custodyKey{}, fmt.Errorf("the custody key file %s can be read by others; run chmod 600 on it", path)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return custodyKey{}, fmt.Errorf("read the custody key file: %w", err)
	}
	defer clear(raw)
	var file struct {
		OrganizationID string `json:"organizationId"`
		APIPublicKey   string `json:"apiPublicKey"`
		APIPrivateKey  hexKey `json:"apiPrivateKey"`
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return custodyKey{}, fmt.Errorf("the custody key file %s is malformed", path)
	}
	defer file.APIPrivateKey.Wipe()
	signer, err := stamp.NewSigner(file.APIPrivateKey.Bytes)
	if err != nil {
		return custodyKey{}, fmt.Errorf("the custody key file %s holds no P-256 key", path)
	}
	public, err := stamp.NormalisePublicKey(file.APIPublicKey)
	if err != nil || public != signer.PublicKey() {
		return custodyKey{}, fmt.Errorf("the public and the private key in %s do not belong together", path)
	}
	if file.OrganizationID == "" {
		return custodyKey{}, fmt.Errorf("the custody key file %s names no organization", path)
	}
	return custodyKey{organizationID: file.OrganizationID, signer: signer}, nil
}

// hexKey decodes the key's hex straight into secret bytes.
type hexKey struct{ secret.Bytes }

// UnmarshalJSON implements json.Unmarshaler.
func (k *hexKey) UnmarshalJSON(quoted []byte) error {
	text := bytes.Trim(quoted, `"`)
	scalar := make([]byte, hex.DecodedLen(len(text)))
	if _, err := hex.Decode(scalar, text); err != nil {
		return errors.New("not hex")
	}
	k.Bytes = secret.Own(scalar)
	return nil
}
