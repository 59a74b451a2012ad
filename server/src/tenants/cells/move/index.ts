import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Administration } from '../../../platform/audit/record.ts';
import { reasonOf } from '../../../platform/errors/errors.ts';
import { StartError } from '../../../platform/errors/start-error.ts';
import {
  createDigestKey,
  findDigestKeyBox,
  isDigestKey,
} from '../../../platform/secrets/digest-key.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { type OpenCell, type OpenCells, ownerIn } from './cells.ts';
import { arrive, callOff, hasArrived, type Journey, parkLeft, removeRemains } from './finish.ts';
import { findMove } from './home.ts';
import { findLeft, listLeft } from './left.ts';
import { refuseLeftBehind } from './left-behind.ts';
import { lockMove, type MoveLock } from './lock.ts';
import type { Run } from './marks.ts';
import { copyAndGo, type MoveOptions, type RemoveTiming } from './move.ts';
import { refuseOtherVersions } from './versions.ts';

export interface Moved {
  from: string;
  /** How long it could not be written to. */
  stoppedMs: number;
}

/**
 * Moves a merchant to another cell while it is served. What an earlier run left is finished or taken back first.
 * @throws StartError where it stays where it is, in words
 */
export async function moveMerchant(
  cells: OpenCells,
  merchantId: string,
  toName: string,
  options: MoveOptions,
): Promise<Moved> {
  const lock = await lockOrRefuse(cells, merchantId, options.timing);
  try {
    await settle(cells, merchantId, options);
    const lastMoveId = (await findMove(cells.home.database, merchantId))?.moveId;
    const { clock, ids } = options.by;
    const moveId = ids.next(clock.nowMs());
    const journey = await planOf(cells, { merchantId, moveId }, toName);
    const found = { lastMoveId, migrations: await refuseOtherVersions(journey) };
    await refuseOtherDigests(journey, options.secrets);
    await refuseLeftBehind(journey);
    await options.refuseUnserved?.(journey.to);
    let stoppedAtMs = performance.now();
    const stopping = () => {
      stoppedAtMs = performance.now();
    };
    const moved = () => ({
      from: journey.from.name,
      stoppedMs: Math.round(performance.now() - stoppedAtMs),
    });
    try {
      await copyAndGo(journey, { ...options, found }, stopping);
    } catch (error) {
      // Whether the last word was heard is not always known: the cell knows.
      const { moveId } = journey.move;
      if ((await settle(cells, merchantId, options, moveId)) !== 'FINISHED') throw error;
      return moved();
    }
    await options.step('ARRIVE');
    await arrive(journey, options.by);
    const result = moved();
    await options.step('REMOVE');
    await removeRemains(journey, options.timing);
    await options.step('DONE');
    return result;
  } finally {
    await lock.release();
  }
}

/** A gateway that attends to what a mover has left is done soon; another mover is not. */
async function lockOrRefuse(
  { home }: OpenCells,
  merchantId: string,
  { lockMs }: Pick<MoveOptions['timing'], 'lockMs'>,
): Promise<MoveLock> {
  const untilMs = performance.now() + lockMs;
  do {
    const lock = await lockMove(home.url, merchantId);
    if (lock) return lock;
    await delay(Math.min(lockMs, 500));
  } while (performance.now() < untilMs);
  throw new StartError(
    `Another process moves ${formatId('me', merchantId)} just now.`,
    'Wait until it is done, or end it; then start again.',
  );
}

/**
 * Under the lock, so that whoever had it before works no more: finishes what is past the point of no return, and
 * takes the rest back.
 * @param onlyMoveId of one run, which may have lost the lock without hearing of it
 */
async function settle(
  cells: OpenCells,
  merchantId: string,
  { by, timing }: FinishOptions,
  onlyMoveId?: string,
): Promise<'FINISHED' | 'CALLED_OFF' | undefined> {
  const left = await findLeft(cells, merchantId);
  if (!left || (onlyMoveId !== undefined && left.moveId !== onlyMoveId)) return undefined;
  const from = cellNamed(cells, left.from);
  const to = cellNamed(cells, left.to);
  const move = { merchantId, moveId: left.moveId };
  const here = await ownerIn(from, merchantId);
  // Before the new cell is asked, which may be away for long.
  if (here) await parkLeft({ from, owner: here, move });
  // The one that it leaves knows all of its tenants as long as it has not been left.
  const owner = (await ownerIn(to, merchantId)) ?? here;
  if (!owner) {
    throw new StartError(
      `${formatId('me', merchantId)} is neither in ${left.from} nor in ${left.to}, where a move left it.`,
      'A cell was restored, or lost: docs/backup.md says what to do.',
    );
  }
  const journey: Journey = { home: cells.home, from, to, owner, move };
  // Nothing is taken from the new cell that the old one has not.
  const mayStay = here !== undefined && !(await hasArrived(journey));
  if (mayStay && (await callOff(journey))) return 'CALLED_OFF';
  await arrive(journey, by);
  await removeRemains(journey, timing);
  return 'FINISHED';
}

function cellNamed({ all }: OpenCells, name: string): OpenCell {
  const cell = all.find((one) => one.name === name);
  if (cell) return cell;
  const others = all.map((one) => one.name).join(', ');
  throw new StartError(`There is no cell ${JSON.stringify(name)}.`, `There are: ${others}.`);
}

/** @param move its id is greater than those of earlier runs: by the clock of the home */
async function planOf(cells: OpenCells, move: Run, toName: string): Promise<Journey> {
  const { merchantId } = move;
  const to = cellNamed(cells, toName);
  const found = await Promise.all(
    cells.all.map(async (cell) => ({ cell, owner: await ownerIn(cell, merchantId) })),
  );
  const [place, second] = found.filter(({ owner }) => owner);
  const id = formatId('me', merchantId);
  if (!place) {
    throw new StartError(`There is no merchant ${id}.`, '"zimbo merchants list" shows them all.');
  }
  if (second) {
    throw new StartError(
      `${id} is in ${place.cell.name} and in ${second.cell.name}.`,
      'A cell was restored from before it moved: docs/backup.md says what to do.',
    );
  }
  if (place.cell === to) throw new StartError(`${id} is in the cell ${toName} already.`);
  refuseCitus([place.cell, to]);
  return { home: cells.home, from: place.cell, to, owner: place.owner!, move };
}

/** A move has never been tried there. A whole cell moves between the nodes of Citus by itself. */
function refuseCitus(cells: readonly OpenCell[]): void {
  const onCitus = cells.find(({ engine }) => engine === 'CITUS');
  if (!onCitus) return;
  throw new StartError(
    `The cell ${onCitus.name} is on Citus: merchants move between cells of PostgreSQL only.`,
    `The whole cell moves to another node:  zimbo cells relocate ${onCitus.name} --node HOST:PORT`,
  );
}

/** Under another key of digests, no idempotency key would hold, and no receipt be the one that it was. */
async function refuseOtherDigests({ home, from, to }: Journey, secrets: SecretBox): Promise<void> {
  const log = { error: () => {} };
  const key = await createDigestKey({ database: home.database, secrets, log }).open();
  for (const { name, database } of [from, to]) {
    const box = await findDigestKeyBox(database);
    if (key && box && isDigestKey(box, key, secrets)) continue;
    throw new StartError(
      `The key of digests of the cell ${name} is not that of the home, or is under another ZIMBO_SECRET_KEY.`,
      'Make cells with "zimbo cells create", and set the key that the gateway runs with.',
    );
  }
}

export interface FinishOptions {
  by: Administration;
  timing: RemoveTiming;
}

/**
 * Finishes or takes back what movers have left that died. Safe when several processes do it, and beside a mover that
 * lives. One that cannot be finished is told of in the log, and keeps no other back.
 */
export async function finishMoves(
  cells: OpenCells,
  options: FinishOptions,
  log: Pick<Logger, 'warn'>,
): Promise<number> {
  let finished = 0;
  for (const merchantId of await listLeft(cells)) {
    try {
      if (await finishMove(cells, merchantId, options)) finished++;
    } catch (error) {
      const reason = reasonOf(error as Error);
      log.warn({ merchantId, reason }, 'the move of a merchant could not be finished');
    }
  }
  return finished;
}

async function finishMove(
  cells: OpenCells,
  merchantId: string,
  options: FinishOptions,
): Promise<boolean> {
  const lock = await lockMove(cells.home.url, merchantId);
  if (!lock) return false;
  try {
    return (await settle(cells, merchantId, options)) !== undefined;
  } finally {
    await lock.release();
  }
}
