package store

import (
	"fmt"

	"tenfold/internal/custody/internal/store/queries"
	"tenfold/internal/seal"
)

func organizationPlace(o Organization) seal.Place {
	return seal.Place{Owner: o.ID, Table: "organizations", Row: o.ID}
}

func organizationFields(o Organization) [][]byte {
	return [][]byte{optional(o.ParentID), text(o.Name), number(o.RootQuorumThreshold), number(o.CreatedAt)}
}

// InsertOrganization stores an organization and makes its data key.
func (tx *Tx) InsertOrganization(o Organization) error {
	key, wrapped, err := seal.NewDataKey(tx.ctx, tx.keeper, o.ID)
	if err != nil {
		return err
	}
	tx.keys[o.ID] = key
	o.Mac = key.Authenticate(organizationPlace(o), organizationFields(o)...)
	if err := tx.queries.InsertOrganization(tx.ctx, queries.InsertOrganizationParams(o)); err != nil {
		return fmt.Errorf("insert organization: %w", err)
	}
	err = tx.queries.InsertDataKey(tx.ctx, queries.InsertDataKeyParams{OrganizationID: o.ID, Wrapped: wrapped, CreatedAt: o.CreatedAt})
	if err != nil {
		return fmt.Errorf("insert data key: %w", err)
	}
	return nil
}

// Organization reads an organization, or sqldb.ErrNotFound.
func (tx *Tx) Organization(id string) (Organization, error) {
	o, err := tx.queries.Organization(tx.ctx, id)
	if err != nil {
		return Organization{}, fmt.Errorf("read organization: %w", err)
	}
	return o, tx.check(organizationPlace(o), o.Mac, organizationFields(o))
}

// TopOrganizations reads the organizations without a parent, at most two.
func (tx *Tx) TopOrganizations() ([]Organization, error) {
	found, err := tx.queries.TopOrganizations(tx.ctx)
	if err != nil {
		return nil, fmt.Errorf("read top organizations: %w", err)
	}
	for _, o := range found {
		if err := tx.check(organizationPlace(o), o.Mac, organizationFields(o)); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func userPlace(u User) seal.Place {
	return seal.Place{Owner: u.OrganizationID, Table: "users", Row: u.ID}
}

func userFields(u User) [][]byte {
	return [][]byte{
		text(u.Name), optional(u.Email), optional(u.PhoneNumber), flag(u.IsRoot), number(u.CreatedAt), number(u.UpdatedAt),
	}
}

// InsertUser stores a user.
func (tx *Tx) InsertUser(u User) (err error) {
	if u.Mac, err = tx.authenticate(userPlace(u), userFields(u)); err != nil {
		return err
	}
	if err := tx.queries.InsertUser(tx.ctx, queries.InsertUserParams(u)); err != nil {
		return fmt.Errorf("insert user: %w", err)
	}
	return nil
}

// User reads a user of an organization, or sqldb.ErrNotFound.
func (tx *Tx) User(organizationID, id string) (User, error) {
	u, err := tx.queries.User(tx.ctx, queries.UserParams{OrganizationID: organizationID, ID: id})
	if err != nil {
		return User{}, fmt.Errorf("read user: %w", err)
	}
	return u, tx.check(userPlace(u), u.Mac, userFields(u))
}
