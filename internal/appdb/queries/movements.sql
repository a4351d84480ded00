-- name: InsertMovement :exec
INSERT INTO movements (
    id, organization_id, user_id, kind, state, version, venue, quote_id, request_id,
    from_chain_id, from_asset, from_owner, from_amount,
    to_chain_id, to_asset, to_recipient, to_minimum,
    maximum_fee, rent, simulated, delivery_hash, indexed,
    problem_code, problem_message, problem_funds, expected_seconds, created_at, updated_at, expires_at
) VALUES (
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
    $21, $22, $23, $24, $25, $26, $27, $28, $29
);

-- name: UpdateMovement :execrows
UPDATE movements SET
    state = $1, version = version + 1, from_amount = $2, to_amount = $3,
    refund_chain_id = $4, refund_asset = $5, refund_amount = $6,
    delivery_hash = $7, indexed = $8, problem_code = $9, problem_message = $10, problem_funds = $11,
    updated_at = $12
WHERE id = $13 AND version = $14 AND state = $15;

-- name: MovementByID :one
SELECT * FROM movements WHERE organization_id = $1 AND id = $2;

-- name: MovementByQuote :one
SELECT * FROM movements WHERE organization_id = $1 AND quote_id = $2;

-- name: MovementsBefore :many
SELECT * FROM movements
WHERE organization_id = $1 AND id < $2
  AND state NOT IN ('draft', 'needs_signature')
  AND NOT (state IN ('cancelled', 'expired') AND NOT EXISTS (
      SELECT 1 FROM movement_moments t WHERE t.movement_id = movements.id AND t.state = 'signed'))
ORDER BY id DESC LIMIT $3;

-- name: MovementsInState :many
SELECT * FROM movements WHERE state = $1 ORDER BY id;

-- name: UnsignedExpired :many
SELECT * FROM movements WHERE state = 'needs_signature' AND expires_at <= $1 ORDER BY id LIMIT $2;

-- name: InsertStep :exec
INSERT INTO movement_steps (
    movement_id, step, kind, state, chain_id, sender, unsigned, nonce, last_valid_height,
    maximum_fee, rent, signed, hash, block_number, fee_paid
) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);

-- name: UpdateStep :exec
UPDATE movement_steps SET state = $1, signed = $2, hash = $3, block_number = $4, fee_paid = $5
WHERE movement_id = $6 AND step = $7;

-- name: StepsOf :many
SELECT * FROM movement_steps WHERE movement_id = $1 ORDER BY step;

-- name: OtherSignedNonces :one
SELECT COUNT(*) FROM movement_steps
WHERE chain_id = $1 AND sender = $2 AND nonce = $3 AND movement_id <> $4
  AND state IN ('signed', 'sent', 'confirming', 'confirmed');

-- name: OtherDeliveries :one
SELECT COUNT(*) FROM movements
WHERE organization_id = $1 AND delivery_hash = $2 AND id <> $3
  AND state IN ('done', 'refunded');

-- name: InsertMoment :exec
INSERT INTO movement_moments (movement_id, moment, state, at) VALUES ($1, $2, $3, $4);

-- name: MomentsOf :many
SELECT state, at FROM movement_moments WHERE movement_id = $1 ORDER BY moment;

-- name: InsertKey :exec
INSERT INTO idempotency_keys (organization_id, key, body_hash, movement_id, created_at)
VALUES ($1, $2, $3, $4, $5);

-- name: KeyByName :one
SELECT body_hash, movement_id FROM idempotency_keys WHERE organization_id = $1 AND key = $2;
