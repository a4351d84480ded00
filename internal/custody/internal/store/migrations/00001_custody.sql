-- +goose Up
-- Times are milliseconds since 1970. Ids are UUIDs. "mac" authenticates the
-- other columns of its row under the organization's data key.

CREATE TABLE organizations (
    id TEXT PRIMARY KEY,
    parent_id TEXT REFERENCES organizations (id),
    name TEXT NOT NULL,
    root_quorum_threshold BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    mac BYTEA NOT NULL
);
CREATE INDEX organizations_parent ON organizations (parent_id);

CREATE TABLE data_keys (
    organization_id TEXT PRIMARY KEY REFERENCES organizations (id),
    wrapped BYTEA NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE users (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    name TEXT NOT NULL,
    email TEXT,
    phone_number TEXT,
    is_root BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    mac BYTEA NOT NULL
);
CREATE INDEX users_organization ON users (organization_id);

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    public_key TEXT NOT NULL,
    credential_type TEXT NOT NULL,
    expiration_seconds BIGINT,
    created_at BIGINT NOT NULL,
    mac BYTEA NOT NULL,
    UNIQUE (organization_id, public_key)
);
CREATE INDEX api_keys_public_key ON api_keys (public_key);
CREATE INDEX api_keys_user ON api_keys (user_id);

CREATE TABLE authenticators (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    credential_id TEXT NOT NULL,
    public_key BYTEA NOT NULL,
    aaguid BYTEA NOT NULL,
    transports TEXT NOT NULL,
    sign_count BIGINT NOT NULL,
    -- Digest of the last accepted assertion: repeating that very request is a
    -- retry, any other request that does not raise the counter is a clone.
    last_assertion TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    mac BYTEA NOT NULL,
    UNIQUE (organization_id, credential_id)
);
CREATE INDEX authenticators_credential ON authenticators (credential_id);
CREATE INDEX authenticators_user ON authenticators (user_id);

CREATE TABLE read_only_sessions (
    -- SHA-256 of the token; the token itself is stored nowhere.
    token_digest TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    mac BYTEA NOT NULL
);
CREATE INDEX read_only_sessions_expiry ON read_only_sessions (expires_at);

CREATE TABLE wallets (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    name TEXT NOT NULL,
    -- The entropy gives the mnemonic for an export; the seed gives keys without
    -- repeating the slow step from one to the other at every signature.
    sealed_entropy BYTEA NOT NULL,
    sealed_seed BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (organization_id, name)
);

CREATE TABLE wallet_accounts (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    wallet_id TEXT NOT NULL REFERENCES wallets (id),
    curve TEXT NOT NULL,
    path TEXT NOT NULL,
    address_format TEXT NOT NULL,
    address TEXT NOT NULL,
    -- The form that signWith is compared with: lower case where the format's
    -- letter case carries no information.
    address_lookup TEXT NOT NULL,
    public_key TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (wallet_id, path, address_format)
);
CREATE INDEX wallet_accounts_address ON wallet_accounts (organization_id, address_lookup);

CREATE TABLE activities (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    fingerprint TEXT NOT NULL,
    activity_type TEXT NOT NULL,
    status TEXT NOT NULL,
    intent TEXT NOT NULL,
    result TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (organization_id, fingerprint)
);

CREATE TABLE votes (
    id TEXT PRIMARY KEY,
    activity_id TEXT NOT NULL REFERENCES activities (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    selection TEXT NOT NULL,
    message BYTEA NOT NULL,
    public_key TEXT NOT NULL,
    signature TEXT NOT NULL,
    scheme TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (activity_id, user_id)
);

-- One row for each signature, written before the signature is made.
CREATE TABLE signature_audit (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    activity_id TEXT NOT NULL REFERENCES activities (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    credential_id TEXT NOT NULL,
    wallet_account_id TEXT NOT NULL REFERENCES wallet_accounts (id),
    purpose TEXT NOT NULL,
    payload_digest TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    mac BYTEA NOT NULL
);
CREATE INDEX signature_audit_organization ON signature_audit (organization_id, created_at);
