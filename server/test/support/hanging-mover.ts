import assert from 'node:assert/strict';
import { moveMerchant } from '../../src/tenants/cells/move/index.ts';
import type { Step } from '../../src/tenants/cells/move/move.ts';
import { moveOptions, quickTiming, type TwoCells } from './two-cells.ts';

const killLockText = `
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND application_name = 'zimbo cells move'
  AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')`;

/** Whoever moves a merchant is taken for dead, and does not hear of it. */
export const loseLock = ({ home }: TwoCells) => home.database.query({ text: killLockText });

/**
 * A mover that does nothing more from a step on, and that nobody takes for alive: it has lost its lock. It may come to
 * life again, as a process does that was frozen.
 * @returns what wakes it up, and gives "moved", or why it was not
 */
export async function moverThatHangs(
  cells: TwoCells,
  merchantId: string,
  to: string,
  at: Step,
): Promise<() => Promise<string>> {
  const reached = Promise.withResolvers<void>();
  const awake = Promise.withResolvers<void>();
  const step = async (now: Step) => {
    if (now !== at) return;
    reached.resolve();
    await awake.promise;
  };
  // Nobody prolongs the stop of a process that is dead.
  const timing = { ...quickTiming, stopMs: 2_000, maxStopMs: 2_000 };
  const moving = moveMerchant(cells, merchantId, to, moveOptions({ step, timing }));
  const ended = moving.then(
    () => 'moved',
    (error: Error) => error.message,
  );
  const early = await Promise.race([reached.promise, ended]);
  assert.equal(early, undefined, `the mover came to ${at}`);
  await loseLock(cells);
  return () => {
    awake.resolve();
    return ended;
  };
}

/** That nothing of a move is left in a cell but the rows. */
export async function assertQuiet({ database }: Pick<TwoCells['home'], 'database'>): Promise<void> {
  const text = `
SELECT (SELECT count(*) FROM moving_merchants)::integer AS marks,
  (SELECT count(*) FROM moving_changes)::integer AS changes,
  (SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
   WHERE tgname LIKE 'moving%' AND c.relnamespace = current_schema()::regnamespace)::integer AS triggers`;
  assert.deepEqual(await database.query({ text }), [{ marks: 0, changes: 0, triggers: 0 }]);
}
