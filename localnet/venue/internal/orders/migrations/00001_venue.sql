-- +goose Up

-- What was quoted, and what has become of it.
CREATE TABLE orders (
    id                 TEXT PRIMARY KEY,
    terms              TEXT NOT NULL,
    origin_chain       INTEGER NOT NULL,
    destination_chain  INTEGER NOT NULL,
    same_chain         INTEGER NOT NULL,
    match              TEXT NOT NULL,
    status             TEXT NOT NULL CHECK (status IN ('waiting', 'pending', 'submitted', 'success', 'failure', 'refund')),
    fail_reason        TEXT NOT NULL,
    refund_fail_reason TEXT NOT NULL,
    in_hash            TEXT NOT NULL,
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL
) STRICT;

CREATE INDEX orders_by_match ON orders (match) WHERE match <> '';
CREATE INDEX orders_open_on_one_chain ON orders (origin_chain, created_at) WHERE same_chain AND status IN ('waiting', 'pending');

-- What was paid into a depository. The first deposit of an order is the one that
-- is filled; any other is given back.
CREATE TABLE deposits (
    chain_id    INTEGER NOT NULL,
    hash        TEXT NOT NULL,
    position    INTEGER NOT NULL,
    order_id    TEXT NOT NULL REFERENCES orders (id),
    depositor   TEXT NOT NULL,
    asset       TEXT NOT NULL,
    amount      TEXT NOT NULL,
    is_first    INTEGER NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('received', 'filled', 'refund_due', 'refunded', 'kept')),
    received_at INTEGER NOT NULL,
    PRIMARY KEY (chain_id, hash, position)
) STRICT;

CREATE UNIQUE INDEX deposits_first_of_order ON deposits (order_id) WHERE is_first;
CREATE INDEX deposits_to_handle ON deposits (state) WHERE state IN ('received', 'refund_due');

-- What the solver signed, kept before it is broadcast. The unique indexes are
-- what makes a second fill, and a second refund, impossible.
CREATE TABLE payments (
    id                      INTEGER PRIMARY KEY,
    purpose                 TEXT NOT NULL CHECK (purpose IN ('fill', 'refund')),
    chain_id                INTEGER NOT NULL,
    deposit_chain           INTEGER NOT NULL,
    deposit_hash            TEXT NOT NULL,
    deposit_position        INTEGER NOT NULL,
    order_id                TEXT NOT NULL REFERENCES orders (id),
    raw                     BLOB NOT NULL,
    hash                    TEXT NOT NULL,
    nonce                   INTEGER NOT NULL,
    last_valid_block_height INTEGER NOT NULL,
    state                   TEXT NOT NULL CHECK (state IN ('signed', 'done', 'reverted', 'impossible')),
    created_at              INTEGER NOT NULL,
    FOREIGN KEY (deposit_chain, deposit_hash, deposit_position) REFERENCES deposits (chain_id, hash, position)
) STRICT;

CREATE UNIQUE INDEX payments_one_of_deposit ON payments (deposit_chain, deposit_hash, deposit_position) WHERE state IN ('signed', 'done');
CREATE UNIQUE INDEX payments_one_fill ON payments (order_id) WHERE purpose = 'fill' AND state IN ('signed', 'done');
CREATE INDEX payments_open ON payments (chain_id, id) WHERE state = 'signed';

-- How far each chain has been read for deposits.
CREATE TABLE cursors (
    chain_id INTEGER PRIMARY KEY,
    position TEXT NOT NULL
) STRICT;
