-- name: PutBalances :exec
INSERT INTO balances (organization_id, chain_id, amounts, as_of) VALUES ($1, $2, $3, $4)
ON CONFLICT (organization_id, chain_id) DO UPDATE SET amounts = excluded.amounts, as_of = excluded.as_of;

-- name: BalancesOf :many
SELECT chain_id, amounts, as_of FROM balances WHERE organization_id = $1 ORDER BY chain_id;
