import { StartError } from '../../platform/errors/start-error.ts';
import type { Queryable } from '../../platform/postgres/database.ts';

/**
 * What changes with each move: who goes from cell to cell asks before and after, since a merchant may have moved past it.
 * @throws StartError while one is on its way
 */
export async function movesSoFar(home: Queryable): Promise<string> {
  const text = `
SELECT count(*) FILTER (WHERE state <> 'DONE')::integer AS moving, coalesce(max(changed_at)::text, '') AS latest
FROM cell_moves`;
  const [found] = await home.query<{ moving: number; latest: string }>({ text });
  const { moving, latest } = found!;
  if (moving === 0) return latest;
  throw new StartError(
    'A merchant is on its way to another cell, and could be missed.',
    'Run it again once it has arrived.',
  );
}
