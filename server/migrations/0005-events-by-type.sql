-- The frequent types were left out, since a walk along the primary key finds them soon: but not behind
-- the events of a large settlement, which are one block.
DROP INDEX events_type;
CREATE INDEX events_type ON events (tenant_id, type, id);
