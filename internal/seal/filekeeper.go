package seal

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tenfold/internal/secret"
)

// fileHeader is the first line of a root key file; the key follows in hex.
const fileHeader = "tenfold root key v1\n"

var (
	// ErrKeyFile marks a root key file that is not one, or that others may read.
	ErrKeyFile = errors.New("seal: unusable root key file")
	// ErrNoKeyFile marks a root key file that does not exist.
	ErrNoKeyFile = errors.New("seal: no root key file")
)

// FileKeeper keeps the root key in a file that only its owner can read. Losing
// the file loses every sealed key.
type FileKeeper struct{ root secret.Bytes }

var _ Keeper = FileKeeper{}

// CreateFileKeeper writes a new root key to path, which must not exist, and
// returns its keeper. After a crash the file is either complete or absent.
func CreateFileKeeper(path string) (FileKeeper, error) {
	root := secret.Random(keySize)
	content := append([]byte(fileHeader), hex.AppendEncode(nil, root.Expose())...)
	content = append(content, '\n')
	defer clear(content)
	if err := writeNew(path, content); err != nil {
		return FileKeeper{}, fmt.Errorf("seal: create root key file: %w", err)
	}
	return FileKeeper{root: root}, nil
}

// OpenFileKeeper reads the root key from path. The error matches ErrNoKeyFile or
// ErrKeyFile.
func OpenFileKeeper(path string) (FileKeeper, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return FileKeeper{}, fmt.Errorf("%w: %w", ErrNoKeyFile, err)
	}
	if err != nil {
		return FileKeeper{}, fmt.Errorf("%w: %w", ErrKeyFile, err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return FileKeeper{}, fmt.Errorf("%w: others may read it; allow its owner alone (chmod 600)", ErrKeyFile)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return FileKeeper{}, fmt.Errorf("%w: %w", ErrKeyFile, err)
	}
	defer clear(content)
	text, found := bytes.CutPrefix(content, []byte(fileHeader))
	text = bytes.TrimSuffix(text, []byte("\n"))
	root := make([]byte, keySize)
	if !found || len(text) != hex.EncodedLen(keySize) {
		return FileKeeper{}, fmt.Errorf("%w: wrong format", ErrKeyFile)
	}
	if _, err := hex.Decode(root, text); err != nil {
		return FileKeeper{}, fmt.Errorf("%w: wrong format", ErrKeyFile)
	}
	return FileKeeper{root: secret.Own(root)}, nil
}

// Wrap implements Keeper.
func (k FileKeeper) Wrap(_ context.Context, key secret.Bytes, owner string) ([]byte, error) {
	return encrypt(k.root, key, keyPlace(owner).encode())
}

// Unwrap implements Keeper.
func (k FileKeeper) Unwrap(_ context.Context, wrapped []byte, owner string) (secret.Bytes, error) {
	return decrypt(k.root, wrapped, keyPlace(owner).encode())
}

// Wipe overwrites the root key.
func (k FileKeeper) Wipe() { k.root.Wipe() }

func keyPlace(owner string) Place {
	return Place{Owner: owner, Table: "data_keys", Row: owner, Column: "wrapped"}
}

// writeNew makes content durable under path without ever replacing a file: it is
// written and synced under another name first, then linked into place.
func writeNew(path string, content []byte) (err error) {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".root-key-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(temporary.Name())) }()
	_, writeErr := temporary.Write(content)
	if err := errors.Join(writeErr, temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	if err := os.Link(temporary.Name(), path); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
