-- Oldest program: 0.1.0
-- Further cells are schemas of this database, kept by Citus; a merchant stays in its cell (docs/decisions/0038).
DO $$
DECLARE
  others text := (SELECT string_agg(name, ', ' ORDER BY name) FROM cells WHERE url_box IS NOT NULL OR engine <> 'CITUS');
BEGIN
  IF others IS NOT NULL THEN
    RAISE EXCEPTION 'This installation has cells that are not on Citus in this database (%). Nothing was changed.', others
      USING HINT = 'Start the version that ran here before, move their merchants to the home with "zimbo cells move", and remove the cells with "zimbo cells remove".';
  END IF;
  IF EXISTS (SELECT FROM moving_merchants) OR EXISTS (SELECT FROM cell_moves WHERE state <> 'DONE') THEN
    RAISE EXCEPTION 'A merchant is moving between two cells, which this version cannot finish. Nothing was changed.'
      USING HINT = 'Start the version that ran here before, and wait until the move is done.';
  END IF;
END $$;
