-- name: InsertOrganization :exec
INSERT INTO organizations (id, parent_id, name, root_quorum_threshold, created_at, mac)
VALUES ($1, $2, $3, $4, $5, $6);

-- name: Organization :one
SELECT id, parent_id, name, root_quorum_threshold, created_at, mac
FROM organizations WHERE id = $1;

-- name: TopOrganizations :many
SELECT id, parent_id, name, root_quorum_threshold, created_at, mac
FROM organizations WHERE parent_id IS NULL ORDER BY id LIMIT 2;

-- name: InsertDataKey :exec
INSERT INTO data_keys (organization_id, wrapped, created_at) VALUES ($1, $2, $3);

-- name: DataKey :one
SELECT wrapped FROM data_keys WHERE organization_id = $1;
