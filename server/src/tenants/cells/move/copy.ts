import { StartError } from '../../../platform/errors/start-error.ts';
import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import type { Owner, Shape } from './catalog.ts';
import { type Changes, shapeOf, takeChanges } from './changes.ts';
import type { Compared } from './compared.ts';
import type { Journey } from './finish.ts';
import { asMover } from './marks.ts';
import {
  type KeysOf,
  pagesOf,
  type Rows,
  removeAll,
  removeKeys,
  rowsOfKeys,
  writeRows,
} from './rows.ts';

/** How many rows of which table have been copied. */
export type Progress = (table: string, rows: number) => void;

/** Another run has the merchant by now. */
export const takenOver = () =>
  new StartError(
    'Another process has taken over the move of this merchant.',
    'Wait until it is done. Then run it again, unless the merchant has arrived.',
  );

/** @throws StartError if another run has the merchant by now */
async function writeThere(
  { to, move }: Journey,
  work: (transaction: Queryable) => Promise<void>,
): Promise<void> {
  if (await asMover(to.database, move, 'ARRIVING', work)) return;
  throw takenOver();
}

const isClosed = ({ hasDue }: Shape) => (hasDue ? 't.due_at IS NULL' : 'true');

/** Copies what is not due, while the merchant is served. */
export async function copyClosed(
  journey: Journey,
  { shapes, copied: counts }: Work,
  progress: Progress,
): Promise<void> {
  const { from, owner } = journey;
  for (const shape of shapes.filter(({ copied }) => copied === 'EARLY')) {
    let copied = 0;
    for await (const rows of pagesOf(from.database, shape, owner, isClosed(shape))) {
      await writeThere(journey, (transaction) => writeRows(transaction, shape, rows));
      copied += rows.count;
      progress(shape.name, copied);
    }
    counts.set(shape.name, copied);
  }
}

/** What a run has in hand between its steps. */
export interface Work {
  shapes: readonly Shape[];
  /** Changes that were taken, and are not committed in the new cell. */
  left: Changes[];
  compared: Compared;
  /** How many closed rows were copied, by table. */
  copied: Map<string, number>;
}

/** How many changes are copied at once. */
const changesAtOnce = 2_000;

/** Copies rows that were written meanwhile, as they are now. */
export async function copyChanges(journey: Journey, work: Work): Promise<void> {
  const { from, owner } = journey;
  const { left } = work;
  await take(journey, work);
  const read: Changed[] = [];
  for (const changes of left)
    read.push(...(await readChanged(from.database, work, owner, changes)));
  await writeThere(journey, async (transaction) => {
    for (const changed of read) await writeChanged(transaction, changed);
  });
  left.length = 0;
}

/** @returns how many there were */
async function take({ from, move }: Journey, { left, compared }: Work): Promise<number> {
  const taken = await takeChanges(from.database, move, changesAtOnce);
  for (const changes of taken) {
    left.push(changes);
    compared.note(changes);
  }
  return taken.length;
}

interface Changed extends KeysOf {
  rows: Rows;
}

/** The rows as they are now, without those that are due: these come last. */
async function readChanged(
  source: Database,
  { shapes }: Work,
  owner: Owner,
  changes: Changes,
): Promise<Changed[]> {
  const shape = shapeOf(shapes, changes);
  if (!shape) return [];
  const keysOf = { shape, owner, keys: changes.keys };
  return [{ ...keysOf, rows: await rowsOfKeys(source, keysOf, isClosed(shape)) }];
}

async function writeChanged(target: Queryable, { rows, ...keysOf }: Changed): Promise<void> {
  await removeKeys(target, keysOf);
  await writeRows(target, keysOf.shape, rows);
}

/**
 * Copies the rest while nobody writes, in one transaction: what was changed last, what is due, and what is copied as
 * a whole.
 * @param keepStopped throws where the stop has ended
 */
export async function copyRest(
  journey: Journey,
  work: Work,
  keepStopped: () => void,
): Promise<void> {
  const { from, owner } = journey;
  const { shapes, left } = work;
  do keepStopped();
  while ((await take(journey, work)) > 0);
  await writeThere(journey, async (transaction) => {
    for (const changes of left) {
      keepStopped();
      for (const changed of await readChanged(from.database, work, owner, changes)) {
        await writeChanged(transaction, changed);
      }
    }
    const whole = shapes.filter(({ copied }) => copied === 'LAST');
    for (const shape of [...whole].reverse()) await removeAll(transaction, shape, owner);
    for (const shape of shapes.filter(({ copied, hasDue }) => copied === 'LAST' || hasDue)) {
      const condition = shape.copied === 'LAST' ? 'true' : 't.due_at IS NOT NULL';
      for await (const rows of pagesOf(from.database, shape, owner, condition)) {
        keepStopped();
        await writeRows(transaction, shape, rows, { parked: true });
      }
    }
  });
  left.length = 0;
}
