-- name: InsertUser :exec
INSERT INTO users (id, organization_id, name, email, phone_number, is_root, created_at, updated_at, mac)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: User :one
SELECT id, organization_id, name, email, phone_number, is_root, created_at, updated_at, mac
FROM users WHERE organization_id = $1 AND id = $2;

-- name: InsertAPIKey :exec
INSERT INTO api_keys (id, organization_id, user_id, name, public_key, credential_type, expiration_seconds, created_at, mac)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: APIKeyByPublicKey :one
SELECT id, organization_id, user_id, name, public_key, credential_type, expiration_seconds, created_at, mac
FROM api_keys WHERE organization_id = $1 AND public_key = $2;

-- name: APIKeysInChildren :many
SELECT k.id, k.organization_id, k.user_id, k.name, k.public_key, k.credential_type, k.expiration_seconds, k.created_at, k.mac
FROM api_keys k JOIN organizations o ON o.id = k.organization_id
WHERE k.public_key = $1 AND o.parent_id = $2
ORDER BY k.id LIMIT 2;

-- name: APIKeysOfUser :many
SELECT id, organization_id, user_id, name, public_key, credential_type, expiration_seconds, created_at, mac
FROM api_keys WHERE user_id = $1 ORDER BY created_at, id;

-- name: DeleteAPIKey :exec
DELETE FROM api_keys WHERE id = $1;

-- name: DeleteAPIKeysOfType :exec
DELETE FROM api_keys WHERE user_id = $1 AND credential_type = $2;

-- name: InsertAuthenticator :exec
INSERT INTO authenticators (id, organization_id, user_id, name, credential_id, public_key, aaguid, transports, sign_count, last_assertion, created_at, mac)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- name: AuthenticatorByCredential :one
SELECT id, organization_id, user_id, name, credential_id, public_key, aaguid, transports, sign_count, last_assertion, created_at, mac
FROM authenticators WHERE organization_id = $1 AND credential_id = $2;

-- name: AuthenticatorsByCredential :many
SELECT id, organization_id, user_id, name, credential_id, public_key, aaguid, transports, sign_count, last_assertion, created_at, mac
FROM authenticators WHERE credential_id = $1 ORDER BY id LIMIT $2;

-- name: AuthenticatorsOfUser :many
SELECT id, organization_id, user_id, name, credential_id, public_key, aaguid, transports, sign_count, last_assertion, created_at, mac
FROM authenticators WHERE user_id = $1 ORDER BY created_at, id;

-- name: RecordAssertion :execrows
UPDATE authenticators SET sign_count = $3, last_assertion = $4, mac = $5
WHERE id = $1 AND sign_count = $2;

-- name: InsertReadOnlySession :exec
INSERT INTO read_only_sessions (token_digest, organization_id, user_id, created_at, expires_at, mac)
VALUES ($1, $2, $3, $4, $5, $6);

-- name: ReadOnlySession :one
SELECT token_digest, organization_id, user_id, created_at, expires_at, mac
FROM read_only_sessions WHERE token_digest = $1;

-- name: DeleteExpiredReadOnlySessions :exec
DELETE FROM read_only_sessions WHERE expires_at <= $1;
