-- Oldest program: 0.1.0
-- Whether a callback has proved to be the operator's: one that has not is a hint, and never believed.
ALTER TABLE operator_callbacks ADD COLUMN authenticated boolean NOT NULL DEFAULT false;
