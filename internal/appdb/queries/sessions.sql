-- name: InsertSession :exec
INSERT INTO sessions (token_hash, organization_id, user_id, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5);

-- name: SessionByTokenHash :one
SELECT organization_id, user_id, expires_at FROM sessions WHERE token_hash = $1;

-- name: DeleteSession :exec
DELETE FROM sessions WHERE token_hash = $1;

-- name: DeleteExpiredSessions :exec
DELETE FROM sessions WHERE expires_at <= $1;
