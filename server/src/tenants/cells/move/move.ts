import { setTimeout as delay } from 'node:timers/promises';
import type { Administration } from '../../../platform/audit/record.ts';
import { StartError } from '../../../platform/errors/start-error.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import { dropOthersAdded } from './added.ts';
import { type Shape, shapesOf } from './catalog.ts';
import type { OpenCell } from './cells.ts';
import { countChanges } from './changes.ts';
import { differenceIn } from './check.ts';
import { Compared, compareEarly, manyRows } from './compared.ts';
import { copyChanges, copyClosed, copyRest, type Progress, takenOver, type Work } from './copy.ts';
import { callsUnderWay } from './drain.ts';
import { type Journey, recordMoved } from './finish.ts';
import { beginMove, findRun, holdRequests } from './home.ts';
import { indexOwned, largeBytes } from './indexes.ts';
import { beginMark, changeMark, limitMark, markGone, reopen } from './marks.ts';
import { removeRows } from './remove.ts';
import { Stop, StopEnded } from './stop.ts';
import { installTriggers, uncheckedTables } from './triggers.ts';
import { refuseMigrated } from './versions.ts';

/** Lengths in milliseconds. */
export interface MoveTiming extends RemoveTiming {
  /** How long whoever finishes an earlier move of the merchant is waited for. */
  lockMs: number;
  /** How long a request to an operator may take, from its commit to its answer. */
  callMs: number;
  /** How long such requests are waited for. */
  drainMs: number;
  /** How long gateways hold requests before writes stop: they look at the home at least as often as that. */
  holdLeadMs: number;
  /** A stop ends by itself after so long, unless the mover prolongs it. */
  stopMs: number;
  /** How long the mover prolongs it at most: then the merchant is served again, and the mover tries once more. */
  maxStopMs: number;
}

export interface RemoveTiming {
  /** From the change of the directory to the removal of what is left behind. */
  graceMs: number;
  /** How long a gateway that has heard of nothing may still take a removed key for one that is there. */
  keyMemoryMs: number;
}

export const usualTiming: MoveTiming = {
  lockMs: 40_000,
  callMs: 12_000,
  drainMs: 15_000,
  holdLeadMs: 1_500,
  stopMs: 4_000,
  maxStopMs: 10_000,
  graceMs: 10_000,
  keyMemoryMs: 5_000,
};

/** Called before each step, for words and for tests. */
export type Step =
  | 'BEGIN'
  | 'INDEX'
  | 'COPY'
  | 'COMPARE'
  | 'CATCH_UP'
  | 'DRAIN'
  | 'HOLD'
  | 'STOP'
  | 'CHECK'
  | 'GO'
  | 'ARRIVE'
  | 'REMOVE'
  | 'DONE';

export interface MoveOptions {
  by: Administration;
  secrets: SecretBox;
  timing: MoveTiming;
  step: (step: Step) => Promise<void> | void;
  progress: Progress;
  /** @throws StartError where gateways run that would not serve it there */
  refuseUnserved?: (to: OpenCell) => Promise<void>;
  /** From so many rows on a table is compared before writes stop. */
  manyRows?: number;
  /** From so many bytes on a table gets an index where it needs one. */
  largeBytes?: number;
}

/** What was found before the run began, and must be so until it is past the point of no return. */
export interface Found {
  /** The run of the merchant that the home knew last. */
  lastMoveId: string | undefined;
  /** Those of both cells. */
  migrations: string;
}

const stopTries = 5;
/** So few changes are left that they can be copied while nobody writes. */
const fewChanges = 500;
const maxRounds = 200;

/**
 * The way up to the point of no return.
 * @param options found is what the plan rests on
 * @param stopping called before each stop
 * @throws StartError where the merchant stays where it is
 */
export async function copyAndGo(
  journey: Journey,
  options: MoveOptions & { found: Found },
  stopping: () => void,
): Promise<void> {
  const { home, from, move } = journey;
  await options.step('BEGIN');
  const shapes = await begin(journey, options);
  const work: Work = { shapes, left: [], compared: new Compared(), copied: new Map() };
  await options.step('COPY');
  await copyClosed(journey, work, options.progress);
  await options.step('COMPARE');
  await compareMany(journey, work, options.manyRows ?? manyRows);
  let reason: string | undefined;
  for (let tries = 0; tries < stopTries; tries++) {
    reason = await tryToGo(journey, work, { ...options, stopping });
    if (reason === undefined) return;
    await reopen(from.database, move);
    await holdRequests(home.database, move, null);
  }
  throw new StartError(
    `The merchant could not leave in ${stopTries} tries, the last time because ${reason}.`,
    'It is served where it was. Move it when it is quieter.',
  );
}

/** From now on the run has both cells, and writes of the merchant are checked. */
async function begin(
  journey: Journey,
  { found, largeBytes: atLeastBytes = largeBytes, step }: MoveOptions & { found: Found },
): Promise<Shape[]> {
  const { home, from, to, owner, move } = journey;
  const way = { from: from.name, to: to.name };
  await beginMove(home.database, move, way, found.lastMoveId);
  const shapes = await shapesOf(from.database);
  // A mover that was frozen may have been called off, and another run may have moved the merchant since.
  const confirm = () => findRun(home.database, move);
  const isMine =
    (await beginMark(from.database, move, way, { state: 'COPYING', confirm })) &&
    (await beginMark(to.database, move, way, { state: 'ARRIVING', confirm }));
  if (!isMine) {
    throw new StartError(
      'Another move of this merchant has passed the point of no return.',
      'Start again.',
    );
  }
  await dropOthersAdded(to.url, owner, { ...move, state: 'ARRIVING' });
  await installTriggers(to.url, shapes, owner, { ...move, state: 'ARRIVING' });
  await step('INDEX');
  const index = { moveId: move.moveId, atLeastBytes };
  await indexOwned(to.url, shapes, owner, { ...index, state: 'ARRIVING' });
  // What a process has written there that had not heard that the merchant left.
  if (!(await removeRows(to.database, shapes, owner, move, 'ARRIVING'))) throw takenOver();
  await dropOthersAdded(from.url, owner, { ...move, state: 'COPYING' });
  await indexOwned(from.url, shapes, owner, { ...index, state: 'COPYING' });
  await installTriggers(from.url, shapes, owner, { ...move, state: 'COPYING' });
  return shapes;
}

const drainEnded = 'requests to operators were sent again before writes stopped';
const writtenTo = 'it was written to before it left';

/** @returns why it has not left, in words after "because" */
async function tryToGo(
  journey: Journey,
  work: Work,
  options: MoveOptions & { found: Found; stopping: () => void },
): Promise<string | undefined> {
  const { home, from, move } = journey;
  const { timing, step } = options;
  await step('CATCH_UP');
  await catchUp(journey, work);
  await step('DRAIN');
  if (!(await drain(journey, work, timing))) return drainEnded;
  await step('HOLD');
  const holdMs = timing.holdLeadMs + timing.maxStopMs;
  await holdRequests(home.database, move, holdMs);
  const drainMs = timing.holdLeadMs + timing.stopMs;
  if (!(await limitMark(from.database, move, 'DRAINING', drainMs))) return drainEnded;
  await delay(timing.holdLeadMs);
  await copyChanges(journey, work);
  await step('STOP');
  options.stopping();
  const stop = new Stop(journey, timing);
  try {
    await stop.begin();
    await copyRest(journey, work, () => stop.keep());
    await step('CHECK');
    await check(journey, work, stop);
    await step('GO');
    return (await go(journey, work, options)) ? undefined : writtenTo;
  } catch (error) {
    if (error instanceof StopEnded) return error.message;
    throw error;
  } finally {
    await stop.end();
  }
}

/** Most rows of a large merchant are compared while it is served. */
async function compareMany(journey: Journey, work: Work, atLeast: number): Promise<void> {
  await catchUp(journey, work);
  const many = work.shapes.filter(({ name }) => (work.copied.get(name) ?? 0) >= atLeast);
  for (const shape of many) {
    await compareEarly(journey, shape, work.compared, () => catchUp(journey, work));
  }
}

async function catchUp(journey: Journey, work: Work): Promise<void> {
  const { from, owner } = journey;
  for (let round = 0; round < maxRounds; round++) {
    const count = await countChanges(from.database, owner.merchantId);
    await copyChanges(journey, work);
    if (count <= fewChanges) return;
  }
}

const drainIntervalMs = 200;

/**
 * Waits for requests to operators; nothing new is sent meanwhile. Those that hang are not waited for.
 * @returns false where another run has the merchant, or nobody
 */
async function drain(
  journey: Journey,
  work: Work,
  { callMs, drainMs, holdLeadMs, stopMs }: MoveTiming,
): Promise<boolean> {
  const { from, owner, move } = journey;
  const lengthMs = drainMs + holdLeadMs + stopMs;
  if (!(await limitMark(from.database, move, 'DRAINING', lengthMs))) return false;
  const untilMs = performance.now() + drainMs;
  while (performance.now() < untilMs) {
    if ((await callsUnderWay(from.database, owner, callMs)) === 0) return true;
    await copyChanges(journey, work);
    await delay(drainIntervalMs);
  }
  return true;
}

async function check(journey: Journey, { shapes, compared }: Work, stop: Stop): Promise<void> {
  const { from, to, owner } = journey;
  const sides = { source: from.database, target: to.database, owner };
  const different: string[] = [];
  for (const shape of shapes) {
    const difference = await differenceIn(sides, shape, compared);
    if (difference) different.push(difference);
    stop.keep();
  }
  if (different.length === 0) return;
  throw new StartError(
    `The copy is not what it was made of: ${different.join(', ')}.`,
    'The merchant is served where it was. Run it again; if it says the same, "zimbo ledger check" may say why.',
  );
}

/**
 * The point of no return; false where the merchant may have been written to since writes stopped.
 * @throws StartError where the cell may have taken what the copy has no room for
 */
async function go(
  journey: Journey,
  { shapes }: Work,
  { by, found }: Pick<MoveOptions, 'by'> & { found: Found },
): Promise<boolean> {
  const { from, to, move } = journey;
  await refuseMigrated(to.database, to.name, found.migrations);
  return changeMark(from.database, move.merchantId, async (transaction) => {
    await refuseMigrated(transaction, from.name, found.migrations);
    await refuseUnchecked(transaction, shapes, journey);
    if (!(await markGone(transaction, move))) return false;
    await recordMoved(transaction, by, journey);
    return true;
  });
}

/** What was written where the check is missing was not noted. */
async function refuseUnchecked(
  cell: Queryable,
  shapes: readonly Shape[],
  { from, move }: Journey,
): Promise<void> {
  const tables = await uncheckedTables(cell, shapes, move);
  if (tables.length === 0) return;
  throw new StartError(
    `The cell ${from.name} has lost the check of writes to ${tables.join(', ')}.`,
    'It may have failed over. The merchant is served where it was. Start again.',
  );
}
