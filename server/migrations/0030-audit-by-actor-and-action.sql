-- Oldest program: 0.1.0
-- The audit log is searched by who did something, and by what was done: the newest first, however rare.
CREATE INDEX audit_records_actor ON audit_records (actor, id);
CREATE INDEX audit_records_action ON audit_records (action, id);
