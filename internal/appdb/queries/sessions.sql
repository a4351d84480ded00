-- name: InsertSession :exec
INSERT INTO sessions (token_hash, organization_id, user_id, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5);

-- name: SessionByTokenHash :one
SELECT organization_id, user_id, expires_at FROM sessions WHERE token_hash = $1;

-- name: DeleteSession :exec
DELETE FROM sessions WHERE token_hash = $1;

-- name: DeleteExpiredSessions :exec
DELETE FROM sessions WHERE expires_at <= $1;

-- name: InsertUsedRequest :exec
INSERT INTO used_requests (request_hash, expires_at) VALUES ($1, $2);

-- name: DeleteExpiredUsedRequests :exec
DELETE FROM used_requests WHERE expires_at <= $1;
