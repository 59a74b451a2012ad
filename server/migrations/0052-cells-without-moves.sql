-- Oldest program: 0.1.0
-- Contract
DROP TABLE cell_moves;
DROP TABLE moving_merchants;
DROP TABLE moving_changes;
ALTER TABLE cells DROP COLUMN url_box;
