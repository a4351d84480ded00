-- name: InsertActivity :exec
INSERT INTO activities (id, organization_id, fingerprint, activity_type, status, intent, result, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: CompleteActivity :execrows
UPDATE activities SET status = $3, result = $4, updated_at = $5 WHERE id = $1 AND status = $2;

-- name: ActivityByFingerprint :one
SELECT id, organization_id, fingerprint, activity_type, status, intent, result, created_at, updated_at
FROM activities WHERE organization_id = $1 AND fingerprint = $2;

-- name: Activity :one
SELECT id, organization_id, fingerprint, activity_type, status, intent, result, created_at, updated_at
FROM activities WHERE id = $1;

-- name: InsertVote :exec
INSERT INTO votes (id, activity_id, user_id, selection, message, public_key, signature, scheme, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: Votes :many
SELECT id, activity_id, user_id, selection, message, public_key, signature, scheme, created_at
FROM votes WHERE activity_id = $1 ORDER BY id;

-- name: InsertSignatureAudit :exec
INSERT INTO signature_audit (id, organization_id, activity_id, user_id, credential_id, wallet_account_id, purpose, payload_digest, created_at, mac)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);
