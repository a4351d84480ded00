-- Times are epoch milliseconds, amounts decimal texts of base units, ids UUIDv7.
-- +goose Up
CREATE TABLE sessions (
    token_hash      TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    user_id         TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL
);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- Sign-in requests that carried a time: each opens one session at most.
CREATE TABLE used_requests (
    request_hash TEXT PRIMARY KEY,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX used_requests_expires_at ON used_requests (expires_at);

CREATE TABLE quotes (
    id              TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    digest          TEXT NOT NULL,
    offer           TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL
);
CREATE INDEX quotes_expires_at ON quotes (expires_at);

CREATE TABLE balances (
    organization_id TEXT NOT NULL,
    chain_id        BIGINT NOT NULL,
    amounts         TEXT NOT NULL,
    as_of           BIGINT NOT NULL,
    PRIMARY KEY (organization_id, chain_id)
);

CREATE TABLE movements (
    id                TEXT PRIMARY KEY,
    organization_id   TEXT NOT NULL,
    user_id           TEXT NOT NULL,
    kind              TEXT NOT NULL CHECK (kind IN ('transfer', 'swap')),
    state             TEXT NOT NULL CHECK (state IN (
        'draft', 'needs_signature', 'signed', 'sent', 'confirming', 'bridging', 'delivering',
        'delayed', 'needs_action', 'done', 'refunded', 'failed', 'expired', 'cancelled')),
    version           BIGINT NOT NULL,
    venue             TEXT NOT NULL,
    quote_id          TEXT,
    request_id        TEXT NOT NULL,
    from_chain_id     BIGINT NOT NULL,
    from_asset        TEXT NOT NULL,
    from_owner        TEXT NOT NULL,
    from_amount       TEXT NOT NULL,
    to_chain_id       BIGINT NOT NULL,
    to_asset          TEXT NOT NULL,
    to_recipient      TEXT NOT NULL,
    to_amount         TEXT,
    to_minimum        TEXT,
    refund_chain_id   BIGINT,
    refund_asset      TEXT,
    refund_amount     TEXT,
    maximum_fee       TEXT NOT NULL,
    rent              TEXT NOT NULL,
    simulated         TEXT NOT NULL CHECK (simulated IN ('matches', 'unavailable')),
    delivery_hash     TEXT NOT NULL,
    indexed           BOOLEAN NOT NULL,
    problem_code      TEXT NOT NULL,
    problem_message   TEXT NOT NULL,
    problem_funds     TEXT NOT NULL,
    expected_seconds  BIGINT NOT NULL,
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL,
    expires_at        BIGINT NOT NULL
);
CREATE INDEX movements_of_organization ON movements (organization_id, id);
CREATE INDEX movements_by_state ON movements (state);
-- A quote is carried out at most once.
CREATE UNIQUE INDEX movements_quote ON movements (quote_id);

CREATE TABLE movement_steps (
    movement_id       TEXT NOT NULL REFERENCES movements (id),
    step              BIGINT NOT NULL,
    kind              TEXT NOT NULL CHECK (kind IN ('transfer', 'approve', 'swap', 'deposit')),
    state             TEXT NOT NULL CHECK (state IN (
        'needs_signature', 'signed', 'sent', 'confirming', 'confirmed', 'failed', 'expired')),
    chain_id          BIGINT NOT NULL,
    sender            TEXT NOT NULL,
    unsigned          BYTEA NOT NULL,
    nonce             BIGINT,
    last_valid_height BIGINT NOT NULL,
    maximum_fee       TEXT NOT NULL,
    rent              TEXT NOT NULL,
    signed            BYTEA,
    hash              TEXT NOT NULL,
    block_number      BIGINT NOT NULL,
    fee_paid          TEXT,
    PRIMARY KEY (movement_id, step)
);
CREATE INDEX movement_steps_lane ON movement_steps (chain_id, sender, nonce);

CREATE TABLE movement_moments (
    movement_id TEXT NOT NULL REFERENCES movements (id),
    moment      BIGINT NOT NULL,
    state       TEXT NOT NULL,
    at          BIGINT NOT NULL,
    PRIMARY KEY (movement_id, moment)
);

CREATE TABLE idempotency_keys (
    organization_id TEXT NOT NULL,
    key             TEXT NOT NULL,
    body_hash       TEXT NOT NULL,
    movement_id     TEXT NOT NULL REFERENCES movements (id),
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (organization_id, key)
);
