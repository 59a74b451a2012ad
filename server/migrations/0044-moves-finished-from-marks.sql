-- Oldest program: 0.1.0
-- From which cell to which a run of the mover goes: where the home has lost the move, its marks are enough to finish it.
ALTER TABLE moving_merchants ADD COLUMN from_cell text, ADD COLUMN to_cell text;
