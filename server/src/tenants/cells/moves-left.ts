import type { Queryable } from '../../platform/postgres/database.ts';
import { isLockedSql } from './move/lock.ts';

/** Moves in one state that nobody works on. */
export interface MovesLeft {
  state: 'COPYING' | 'HOLDING' | 'SWITCHED';
  /** Since the state of the oldest changed. */
  oldestSeconds: number;
}

/** A gateway takes these up within ten seconds; what is here for longer, it cannot finish. */
export const movesLeft = (home: Queryable): Promise<MovesLeft[]> =>
  home.query<MovesLeft>({
    name: 'cell_moves.left',
    text: `
SELECT state, max(extract(epoch FROM clock_timestamp() - changed_at))::float8 AS "oldestSeconds"
FROM cell_moves WHERE state <> 'DONE' AND NOT ${isLockedSql('merchant_id')}
GROUP BY state`,
  });
