package custody

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/google/uuid"

	"tenfold/internal/custody/internal/store"
	"tenfold/internal/custody/wire"
	"tenfold/internal/sqldb"
	"tenfold/internal/stamp"
)

// Parent names the organization that owns all sub-organizations, and its root
// user.
type Parent struct {
	OrganizationID string `json:"organizationId"`
	UserID         string `json:"userId"`
}

// Names of what Initialise makes beside the organization.
const (
	rootUserName = "Root user"
	rootKeyName  = "Root API key"
)

// Initialise makes a data folder with its parent organization, whose root user
// has the given P-256 API key (compressed, hex) for good. The error matches
// ErrInitialised when the folder holds an organization already, and
// stamp.ErrMalformed for a bad key.
func Initialise(ctx context.Context, folder, organizationName, apiPublicKey string) (Parent, error) {
	publicKey, err := stamp.NormalisePublicKey(apiPublicKey)
	if err != nil {
		return Parent{}, fmt.Errorf("API public key: %w", err)
	}
	if organizationName == "" {
		return Parent{}, errors.New("the organization needs a name")
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return Parent{}, fmt.Errorf("create data folder: %w", err)
	}
	provider, err := open(ctx, Settings{DataDir: folder})
	if err != nil {
		return Parent{}, err
	}
	parent, err := provider.initialise(ctx, organizationName, publicKey)
	return parent, errors.Join(err, provider.Close())
}

// EnsureInitialised is Initialise for a supervisor that may have been killed at
// any moment: when the folder is initialised with this very API key, it returns
// the organization of then. With another key the error matches ErrOtherKey.
func EnsureInitialised(ctx context.Context, folder, organizationName, apiPublicKey string) (Parent, error) {
	parent, err := Initialise(ctx, folder, organizationName, apiPublicKey)
	if !errors.Is(err, ErrInitialised) {
		return parent, err
	}
	return FindParent(ctx, folder, apiPublicKey)
}

// FindParent returns the organization of an initialised data folder, and the user
// who owns the API key. The error matches ErrNotInitialised or ErrOtherKey.
func FindParent(ctx context.Context, folder, apiPublicKey string) (Parent, error) {
	publicKey, err := stamp.NormalisePublicKey(apiPublicKey)
	if err != nil {
		return Parent{}, fmt.Errorf("API public key: %w", err)
	}
	provider, err := Open(ctx, Settings{DataDir: folder})
	if err != nil {
		return Parent{}, err
	}
	parent, err := provider.findParent(ctx, publicKey)
	return parent, errors.Join(err, provider.Close())
}

func (p *Provider) findParent(ctx context.Context, publicKey string) (Parent, error) {
	organization, err := p.parent(ctx)
	if err != nil {
		return Parent{}, err
	}
	var key store.APIKey
	err = p.store.Read(ctx, func(tx *store.Tx) (err error) {
		key, err = tx.APIKey(organization.ID, publicKey)
		return err
	})
	if errors.Is(err, sqldb.ErrNotFound) {
		return Parent{}, ErrOtherKey
	}
	return Parent{OrganizationID: organization.ID, UserID: key.UserID}, err
}

// parent reads the one organization without a parent.
func (p *Provider) parent(ctx context.Context) (store.Organization, error) {
	var found []store.Organization
	err := p.store.Read(ctx, func(tx *store.Tx) (err error) {
		found, err = tx.TopOrganizations()
		return err
	})
	if err != nil {
		return store.Organization{}, err
	}
	if len(found) == 0 {
		return store.Organization{}, ErrNotInitialised
	}
	return found[0], nil
}

// initialise is one transaction: after a crash there is everything or nothing.
func (p *Provider) initialise(ctx context.Context, organizationName, publicKey string) (Parent, error) {
	ids, err := newIDs(3)
	if err != nil {
		return Parent{}, err
	}
	parent := Parent{OrganizationID: ids[0], UserID: ids[1]}
	const millisecondsPerSecond = 1000
	now := time.Now().Unix() * millisecondsPerSecond
	return parent, p.store.Write(ctx, func(tx *store.Tx) error {
		found, err := tx.TopOrganizations()
		if err != nil {
			return err
		}
		if len(found) > 0 {
			return ErrInitialised
		}
		err = tx.InsertOrganization(store.Organization{
			ID: parent.OrganizationID, Name: organizationName, RootQuorumThreshold: 1, CreatedAt: now,
		})
		if err != nil {
			return err
		}
		err = tx.InsertUser(store.User{
			ID: parent.UserID, OrganizationID: parent.OrganizationID, Name: rootUserName, IsRoot: true,
			CreatedAt: now, UpdatedAt: now,
		})
		if err != nil {
			return err
		}
		return tx.InsertAPIKey(store.APIKey{
			ID: ids[2], OrganizationID: parent.OrganizationID, UserID: parent.UserID, Name: rootKeyName,
			PublicKey: publicKey, CredentialType: wire.CredentialAPIKeyP256, CreatedAt: now,
		})
	})
}

func newIDs(count int) ([]string, error) {
	ids := make([]string, count)
	for i := range ids {
		id, err := uuid.NewV7()
		if err != nil {
			return nil, fmt.Errorf("make id: %w", err)
		}
		ids[i] = id.String()
	}
	return ids, nil
}
