import { StartError } from '../../../platform/errors/start-error.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { countRows, wordsOfCounts } from '../left-rows.ts';
import type { Journey } from './finish.ts';
import { findMark } from './marks.ts';

/**
 * A move begins by removing what the new cell has of the merchant. Without a mark that is no copy, but what was written
 * there after the merchant had left: perhaps payments that were debited, of which nobody else knows.
 * @throws StartError
 */
export async function refuseLeftBehind({ to, owner, move }: Journey): Promise<void> {
  if (await findMark(to.database, move.merchantId)) return;
  const counts = await countRows(to.database, owner);
  if (Object.keys(counts).length === 0) return;
  throw new StartError(
    `The cell ${to.name} has rows of ${formatId('me', move.merchantId)} from when it was there before: ${wordsOfCounts(counts)}.`,
    'A move would remove them. docs/cells.md says how to look into them first ("Rows left behind").',
  );
}
