package engine

import (
	"tenfold/internal/custody/internal/store"
	"tenfold/internal/custody/wire"
)

// maxNameBytes bounds the names of organizations, users, wallets and credentials.
const maxNameBytes = 256

// createSubOrganization makes a sub-organization with its root users, their
// credentials and its first wallet, all or nothing.
func createSubOrganization(run execution, p wire.CreateSubOrganizationParameters) (outcome, error) {
	if run.caller.Organization.ParentID != nil {
		return outcome{}, wire.Invalid("a sub-organization cannot have sub-organizations")
	}
	if err := run.checkSubOrganization(p); err != nil {
		return outcome{}, err
	}
	id, err := newID()
	if err != nil {
		return outcome{}, err
	}
	err = run.tx.InsertOrganization(store.Organization{
		ID: id, ParentID: &run.caller.Organization.ID, Name: p.SubOrganizationName,
		RootQuorumThreshold: int64(p.RootQuorumThreshold), CreatedAt: run.now,
	})
	if err != nil {
		return outcome{}, err
	}
	result := wire.CreateSubOrganizationResult{SubOrganizationID: id, RootUserIDs: []string{}}
	for _, user := range p.RootUsers {
		userID, err := run.createRootUser(id, user)
		if err != nil {
			return outcome{}, err
		}
		result.RootUserIDs = append(result.RootUserIDs, userID)
	}
	if p.Wallet != nil {
		wallet, err := run.newWallet(id, *p.Wallet)
		if err != nil {
			return outcome{}, err
		}
		result.Wallet = &wallet
	}
	return outcome{stored: result}, nil
}

func (run execution) checkSubOrganization(p wire.CreateSubOrganizationParameters) error {
	if err := checkName("subOrganizationName", p.SubOrganizationName); err != nil {
		return err
	}
	users := len(p.RootUsers)
	switch {
	case users == 0:
		return wire.Invalid("quorum users missing")
	case users > run.engine.limits.Custody.UsersPerOrganization:
		return wire.Exhausted("organization has exceeded maximum users")
	case p.RootQuorumThreshold < 1:
		return wire.Invalid("quorum threshold must be non-zero integer")
	case int(p.RootQuorumThreshold) > users:
		return wire.Invalid("quorum threshold exceeds the number of root users")
	case p.RootQuorumThreshold > 1:
		return wire.Invalid("a root quorum threshold above 1 is not supported")
	case p.VerificationToken != "" || len(p.ClientSignature) > 0 && string(p.ClientSignature) != "null":
		// Storing the contact without checking its proof would make it look proven.
		return wire.Invalid("verification tokens are not supported")
	}
	return nil
}

// createRootUser makes a user with at least one credential.
func (run execution) createRootUser(organizationID string, p wire.RootUser) (string, error) {
	if err := checkName("userName", p.UserName); err != nil {
		return "", err
	}
	if len(p.OAuthProviders) > 0 {
		return "", wire.Invalid("OAuth providers are not supported")
	}
	if len(p.APIKeys)+len(p.Authenticators) == 0 {
		return "", wire.Invalid("user missing valid credential: %s", p.UserName)
	}
	email, err := optionalContact("email address", p.UserEmail)
	if err != nil {
		return "", err
	}
	phone, err := optionalContact("phone number", p.UserPhone)
	if err != nil {
		return "", err
	}
	id, err := newID()
	if err != nil {
		return "", err
	}
	user := store.User{
		ID: id, OrganizationID: organizationID, Name: p.UserName, Email: email, PhoneNumber: phone, IsRoot: true,
		CreatedAt: run.now, UpdatedAt: run.now,
	}
	if err := run.tx.InsertUser(user); err != nil {
		return "", err
	}
	if err := run.addAPIKeys(user, p.APIKeys); err != nil {
		return "", err
	}
	if err := run.addAuthenticators(user, p.Authenticators); err != nil {
		return "", err
	}
	return id, nil
}

func checkName(field, value string) error {
	if value == "" {
		return wire.Invalid("invalid request body: missing field `%s`", field)
	}
	if len(value) > maxNameBytes {
		return wire.Invalid("invalid request body: field `%s` is longer than %d bytes", field, maxNameBytes)
	}
	return nil
}

// optionalContact stores a contact as the client wrote it; nothing is sent to it.
func optionalContact(what, value string) (*string, error) {
	if value == "" {
		return nil, nil
	}
	if len(value) > maxNameBytes {
		return nil, wire.Invalid("invalid %s", what)
	}
	return &value, nil
}
