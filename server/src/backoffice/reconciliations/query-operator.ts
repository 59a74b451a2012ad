import type { Logger } from 'pino';
import { leaseMarginMs } from '../../integrations/operators/query-schedule.ts';
import type { SubjectKind } from '../../money/review/review-item.ts';
import { findSubject } from '../../money/review/subjects.ts';
import { invalid, invalidState } from '../../platform/errors/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { formatId } from '../../platform/values/ids.ts';
import { canBeAsked, explanationLimits, type StoredDifference } from './difference.ts';
import {
  askStored,
  claimMarkedDifferences,
  findDifferences,
  noteAnswered,
} from './difference-store.ts';
import { lockForStep, recordStep, type StepDependencies } from './steps.ts';

/**
 * Has the operator queried about payments, refunds, reversals and disbursements that the statement contradicts. Its
 * answer has the usual consequences; a repeated comparison then no longer finds the difference.
 * @returns how many; leaves out those that cannot be queried
 * @throws NOT_FOUND
 * @throws VALIDATION_ERROR
 * @throws INVALID_STATE none of them can be queried, or the statement is being compared
 */
export async function askOperator(
  dependencies: StepDependencies & { wake: (atMs: number) => void },
  id: string,
  differences: readonly string[],
): Promise<number> {
  const { database, clock } = dependencies;
  const { atOnce } = explanationLimits;
  if (differences.length === 0 || differences.length > atOnce) {
    throw invalid('differences', `must be between 1 and ${atOnce}`);
  }
  const nowMs = clock.nowMs();
  const asked = await database.transaction(async (transaction) => {
    await lockForStep(transaction, id);
    const found = (await findDifferences(transaction, id, differences)).filter(canBeAsked);
    if (found.length === 0)
      throw invalidState('The operator cannot be queried about any of these.');
    for (const difference of found) await askStored(transaction, difference, nowMs);
    await recordStep(transaction, dependencies, 'reconciliation.operator_asked', id, {
      differences: found.map((each) => formatId('rd', each.id)),
      about: found.map(({ referenceId }) => referenceId),
    });
    return found.length;
  });
  dependencies.wake(nowMs);
  return asked;
}

/** Queries the operator now, because a person asked for it. */
export type Hint = (tenantId: string, reference: string) => Promise<unknown>;

export interface QueryDifferencesDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: { operatorTimeoutMs: number };
  hints: Record<SubjectKind, Hint>;
}

/** Each waits for the operator, and for nothing else. */
const askedAtOnce = 16;

/**
 * Queries operators about the marked differences.
 * @returns about how many
 */
export async function queryMarkedDifferences(
  dependencies: QueryDifferencesDependencies,
): Promise<number> {
  const { database, clock, log, timing } = dependencies;
  const nowMs = clock.nowMs();
  const leaseMs = nowMs + timing.operatorTimeoutMs + leaseMarginMs;
  const asked = await claimMarkedDifferences(database, nowMs, leaseMs, askedAtOnce);
  const tries = asked.map(async (difference) => {
    try {
      await ask(dependencies, difference);
    } catch (error) {
      log.warn({ err: error, id: difference.id }, 'an operator could not be asked; tried again');
    }
  });
  await Promise.all(tries);
  return asked.length;
}

async function ask(
  { database, hints }: QueryDifferencesDependencies,
  difference: StoredDifference,
): Promise<void> {
  const { referenceId, bookedTenantId } = difference;
  const subject = referenceId === null ? undefined : await findSubject(database, referenceId);
  if (subject && subject.tenantId === bookedTenantId) {
    await hints[subject.kind](subject.tenantId, subject.reference);
  }
  await noteAnswered(database, difference);
}
