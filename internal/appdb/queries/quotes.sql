-- name: InsertQuote :exec
INSERT INTO quotes (id, organization_id, digest, offer, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6);

-- name: QuoteByID :one
SELECT id, organization_id, digest, offer, created_at, expires_at
FROM quotes WHERE organization_id = $1 AND id = $2;

-- name: DeleteQuotesBefore :exec
DELETE FROM quotes WHERE expires_at <= $1;
