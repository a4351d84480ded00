-- name: InsertWallet :exec
INSERT INTO wallets (id, organization_id, name, sealed_entropy, sealed_seed, created_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: Wallet :one
SELECT id, organization_id, name, sealed_entropy, sealed_seed, created_at
FROM wallets WHERE organization_id = $1 AND id = $2;

-- name: Wallets :many
SELECT id, organization_id, name, created_at
FROM wallets WHERE organization_id = $1 ORDER BY id;

-- name: CountWallets :one
SELECT count(*) FROM wallets WHERE organization_id = $1;

-- name: InsertWalletAccount :exec
INSERT INTO wallet_accounts (id, organization_id, wallet_id, curve, path, address_format, address, address_lookup, public_key, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- name: WalletAccount :one
SELECT id, organization_id, wallet_id, curve, path, address_format, address, address_lookup, public_key, created_at
FROM wallet_accounts WHERE organization_id = $1 AND id = $2;

-- name: WalletAccountsAfter :many
SELECT id, organization_id, wallet_id, curve, path, address_format, address, address_lookup, public_key, created_at
FROM wallet_accounts
WHERE organization_id = @organization_id AND (CAST(@wallet_id AS TEXT) = '' OR wallet_id = @wallet_id) AND id > @cursor
ORDER BY id LIMIT @page_size;

-- name: WalletAccountsBefore :many
SELECT id, organization_id, wallet_id, curve, path, address_format, address, address_lookup, public_key, created_at
FROM wallet_accounts
WHERE organization_id = @organization_id AND (CAST(@wallet_id AS TEXT) = '' OR wallet_id = @wallet_id) AND id < @cursor
ORDER BY id DESC LIMIT @page_size;

-- name: WalletAccountsByAddress :many
SELECT id, organization_id, wallet_id, curve, path, address_format, address, address_lookup, public_key, created_at
FROM wallet_accounts WHERE organization_id = $1 AND address_lookup = $2 ORDER BY id LIMIT 1;
