import type { Logger } from 'pino';
import {
  type Difference,
  EmptyPeriodError,
  NoPeriodError,
  type Reconciliation,
  reconcile,
} from '../../money/ledger/reconcile-statement.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { after, type Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { identitiesOf } from './difference.ts';
import { countDifferences, type FoundDifference, mergeFound } from './difference-store.ts';
import {
  type Failure,
  reconciliationLimits,
  reconciliationTimes,
  type StoredReconciliation,
} from './reconciliation.ts';
import { readLines } from './statement-lines.ts';
import { openOf, recordStep } from './steps.ts';
import {
  claimComparison,
  endComparison,
  leaveComparison,
  lockReconciliation,
  setDue,
} from './store.ts';

export interface CompareDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** A connection of its own, for statements that take minutes; the caller must close it. */
  openPatient: () => Database;
}

type Counts = Pick<
  StoredReconciliation,
  'lineCount' | 'matchedCount' | 'withoutMoneyCount' | 'fromAtMs' | 'untilAtMs'
>;
type Outcome = Counts & ({ differences: Difference[] } | { failure: Failure });

/**
 * Compares the next due statement, of any process. At the signal it stops between two batches, and another process
 * starts again.
 * @returns how many: one, or none
 */
export async function compareNext(
  dependencies: CompareDependencies,
  signal?: AbortSignal,
): Promise<number> {
  const { database, clock, log } = dependencies;
  const nowMs = clock.nowMs();
  const taken = await claimComparison(database, nowMs, nowMs + reconciliationTimes.leaseMs);
  if (!taken) return 0;
  const lease = keepLease(dependencies, taken);
  try {
    const outcome = await outcomeOf(dependencies, taken, signal);
    await end(dependencies, taken, await lease.stop(), outcome);
  } catch (error) {
    const leaseMs = await lease.stop();
    if (signal?.aborted) {
      await leaveComparison(database, { id: taken.id, leaseMs }, clock.nowMs());
      return 1;
    }
    log.warn({ err: error, id: taken.id }, 'a statement could not be compared; tried again');
    await setDue(database, { id: taken.id, leaseMs }, clock.nowMs() + retryMs * taken.tries);
  }
  return 1;
}

const retryMs = 2_000;

/** Renews the lease for as long as the comparison takes; a process that loses it writes nothing in the end. */
function keepLease(
  { database, clock, log }: CompareDependencies,
  { id, dueAtMs }: StoredReconciliation,
): { stop(): Promise<number> } {
  let leaseMs = dueAtMs!;
  let renewing: Promise<void> = Promise.resolve();
  let disarm = () => {};
  const renew = async () => {
    const nextMs = clock.nowMs() + reconciliationTimes.leaseMs;
    try {
      if (await setDue(database, { id, leaseMs }, nextMs)) leaseMs = nextMs;
    } catch (error) {
      log.warn({ err: error, id }, 'the lease of a comparison could not be renewed');
    }
  };
  const arm = () => {
    disarm = after(clock, reconciliationTimes.renewMs, () => {
      renewing = renew().then(arm);
    });
  };
  arm();
  return {
    async stop() {
      await renewing;
      disarm();
      return leaseMs;
    },
  };
}

async function outcomeOf(
  { database, openPatient }: CompareDependencies,
  taken: StoredReconciliation,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { id, operator, mode, merchantId, currency, askedFromMs, askedUntilMs } = taken;
  const { lineCount } = taken;
  const none = {
    lineCount,
    matchedCount: 0,
    withoutMoneyCount: 0,
    fromAtMs: null,
    untilAtMs: null,
  };
  if (taken.tries > reconciliationLimits.tries) return { ...none, failure: 'GAVE_UP' };
  const scope = { operator, mode, merchantId, currency };
  const request = { ...scope, fromMs: askedFromMs, untilMs: askedUntilMs };
  const patient = openPatient();
  try {
    const lines = until(signal, readLines(database, id));
    return await reconcile(patient, request, lines, (result) => found(result, signal));
  } catch (error) {
    if (error instanceof NoPeriodError) return { ...none, failure: 'NO_PERIOD' };
    if (error instanceof EmptyPeriodError) return { ...none, failure: 'EMPTY_PERIOD' };
    throw error;
  } finally {
    await patient.close();
  }
}

/** @throws the reason of the signal */
async function* until<Item>(signal: AbortSignal | undefined, items: AsyncIterable<Item>) {
  for await (const item of items) {
    signal?.throwIfAborted();
    yield item;
  }
}

async function found(result: Reconciliation, signal: AbortSignal | undefined): Promise<Outcome> {
  const counts: Counts = {
    lineCount: result.lines,
    matchedCount: result.matched,
    withoutMoneyCount: result.withoutMoney,
    fromAtMs: result.fromMs,
    untilAtMs: result.untilMs,
  };
  const total = Object.values(result.counts).reduce((sum, count) => sum + count, 0);
  if (total > reconciliationLimits.differences) {
    return { ...counts, failure: 'TOO_MANY_DIFFERENCES' };
  }
  const differences: Difference[] = [];
  for await (const page of until(signal, result.differences)) differences.push(...page);
  return { ...counts, differences };
}

/** Writes the result, unless another process has taken over meanwhile. */
async function end(
  dependencies: CompareDependencies,
  { id }: StoredReconciliation,
  leaseMs: number,
  outcome: Outcome,
): Promise<void> {
  const { database, clock, ids, log } = dependencies;
  const nowMs = clock.nowMs();
  await database.transaction(async (transaction) => {
    const now = await lockReconciliation(transaction, id);
    if (now?.status !== 'COMPARING' || now.dueAtMs !== leaseMs) {
      log.warn({ id }, 'another process has taken over a comparison: this one writes nothing');
      return;
    }
    const author = { clock, ids, actor: now.askedBy, origin: now.askedOrigin ?? undefined };
    const { lineCount: lines, matchedCount: matched } = outcome;
    const base = { ...now, ...countsOf(outcome), comparedAtMs: nowMs };
    if ('failure' in outcome) {
      const { failure } = outcome;
      await endComparison(transaction, { ...base, status: 'FAILED', failure });
      const detail = { failure, lines, matched };
      await recordStep(transaction, authorOf(author), 'reconciliation.failed', id, detail);
      return;
    }
    const by = { actor: now.askedBy, nowMs };
    await mergeFound(transaction, id, rowsOf(now, outcome.differences, ids, nowMs), by);
    const kinds = await countDifferences(transaction, id);
    const differenceCount = kinds.reduce((sum, { count }) => sum + count, 0);
    const openCount = openOf(kinds);
    const isMatched = openCount === 0;
    await endComparison(transaction, {
      ...base,
      status: isMatched ? 'MATCHED' : 'OPEN',
      differenceCount,
      openCount,
      failure: null,
      closedBy: isMatched ? now.askedBy : null,
      closedAtMs: isMatched ? nowMs : null,
    });
    const detail = { lines, matched, differences: outcome.differences.length, open: openCount };
    await recordStep(transaction, authorOf(author), 'reconciliation.compared', id, detail);
    if (isMatched) await recordStep(transaction, authorOf(author), 'reconciliation.matched', id);
  });
}

function countsOf({ lineCount, matchedCount, withoutMoneyCount, fromAtMs, untilAtMs }: Outcome) {
  return { lineCount, matchedCount, withoutMoneyCount, fromAtMs, untilAtMs };
}

/** A record has no origin if there was none. */
function authorOf({ origin, ...rest }: Author) {
  return origin === undefined ? rest : { ...rest, origin };
}
type Author = { clock: Clock; ids: Ids; actor: string; origin: string | undefined };

function rowsOf(
  { id: reconciliationId }: StoredReconciliation,
  differences: readonly Difference[],
  ids: Ids,
  nowMs: number,
): FoundDifference[] {
  const identities = identitiesOf(differences);
  return differences.map(({ tenantId, atMs, ...rest }, index) => ({
    ...rest,
    reconciliationId,
    id: ids.next(nowMs),
    identity: identities[index]!,
    bookedTenantId: tenantId,
    bookedAtMs: atMs,
  }));
}
