import type { Subscription } from '../../integrations/events/append.ts';
import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { eventOf, type NewEvent } from '../../integrations/events/event.ts';
import { failureMessages } from '../../integrations/operators/operator.ts';
import { type DomainError, insufficientBalance } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { exceededDay } from './caps.ts';
import {
  type DayKey,
  dayOf,
  findUsed,
  insertDisbursements,
  lockAvailable,
  type WritableDisbursement,
} from './creation-store.ts';
import type { Disbursement } from './disbursement.ts';
import type { DueDisbursement, NewDisbursement } from './prepare.ts';
import { findAllByReference, findByReference } from './store.ts';
import { disbursementJson } from './view.ts';

/** How many disbursements may share one lock of the balance. */
export const mostTogether = 50;

/** What became of a request. */
export type Outcome =
  /** It is written, CREATED; with `'fail'` perhaps FAILED. */
  | { kind: 'made'; disbursement: DueDisbursement }
  /** A disbursement exists under its reference: of the same request, or of another under its idempotency key. */
  | { kind: 'earlier'; disbursement: Disbursement }
  | { kind: 'refused'; error: DomainError };

export interface Made {
  /** In the order of the rows. */
  outcomes: Outcome[];
  /** To be passed to the dispatcher once everything is committed. */
  subscriptions: Subscription[];
  events: NewEvent[];
  /** When other processes may take the deliveries. */
  dueAtMs: number;
}

export interface CreateManyDependencies {
  clock: Clock;
  ids: Ids;
  dispatcher: Pick<DeliveryDispatcher, 'leaseMs'>;
}

/**
 * Writes up to 50 disbursements of one tenant under one lock of its balance, each if the balance and the limits of the
 * day still cover it after those before it. The lock is held until the transaction ends.
 * @param otherwise what becomes of a row that is not covered: it is refused, or it is written as FAILED
 */
export async function createDisbursements(
  transaction: Queryable,
  dependencies: CreateManyDependencies,
  rows: readonly NewDisbursement[],
  otherwise: 'refuse' | 'fail',
): Promise<Made> {
  if (rows.length > mostTogether) throw new Error('too many disbursements for one lock');
  const [tenantId, ...others] = new Set(rows.map(({ disbursement }) => disbursement.tenantId));
  if (tenantId === undefined || others.length > 0) throw new Error('not of one tenant');
  const currencies = [...new Set(rows.map(({ disbursement }) => disbursement.currency))].sort();
  const locked = await lockAvailable(transaction, tenantId, currencies);
  // Read behind the lock: whoever held it before has committed.
  const references = rows.map(({ disbursement }) => disbursement.reference);
  const earlier = new Map(
    (await findAllByReference(transaction, tenantId, references)).map((each) => [
      each.reference,
      each,
    ]),
  );
  const used = await findUsed(transaction, rows.flatMap(limitedDays));
  const budget = new Budget(locked, used);
  const outcomes = rows.map(
    (row): Outcome =>
      outcomeOf(row, earlier.get(row.disbursement.reference), budget, otherwise === 'fail'),
  );
  return write(transaction, dependencies, rows, outcomes);
}

function outcomeOf(
  { disbursement, days }: NewDisbursement,
  earlier: Disbursement | undefined,
  budget: Budget,
  mayFail: boolean,
): Outcome {
  if (earlier) return { kind: 'earlier', disbursement: earlier };
  const refusal = budget.take({ disbursement, days });
  if (!refusal) return { kind: 'made', disbursement };
  if (!mayFail) return { kind: 'refused', error: refusal.error };
  return { kind: 'made', disbursement: failed(disbursement, refusal) };
}

/** A limit of the day leaves as little as an empty balance; the message says which. */
function failed(disbursement: DueDisbursement, { isLimit, error }: Refusal): DueDisbursement {
  const failureCode = 'INSUFFICIENT_BALANCE';
  const failureMessage = isLimit ? error.message : failureMessages[failureCode];
  return { ...disbursement, status: 'FAILED', failureCode, failureMessage, dueAtMs: null };
}

async function write(
  transaction: Queryable,
  { clock, ids, dispatcher }: CreateManyDependencies,
  rows: readonly NewDisbursement[],
  outcomes: Outcome[],
): Promise<Made> {
  const writable = outcomes.flatMap((outcome, index): WritableDisbursement[] => {
    if (outcome.kind !== 'made') return [];
    const { disbursement } = outcome;
    const type = disbursement.status === 'FAILED' ? 'disbursement.failed' : 'disbursement.created';
    const json = disbursementJson(disbursement);
    const event = eventOf(ids, type, disbursement, disbursement.createdAtMs, json);
    return [{ ...rows[index]!, disbursement, event }];
  });
  const events = writable.map(({ event }) => event);
  const dueAtMs = dispatcher.leaseMs(clock.nowMs(), events);
  if (writable.length === 0) return { outcomes, subscriptions: [], events, dueAtMs };
  const { ids: written, subscriptions } = await insertDisbursements(transaction, writable, dueAtMs);
  return {
    outcomes: await Promise.all(
      outcomes.map((outcome) => afterWrite(transaction, outcome, written)),
    ),
    subscriptions,
    events: events.filter(({ objectId }) => written.has(objectId)),
    dueAtMs,
  };
}

/** The lock is one of a currency: the same key may have come with another, just before. */
async function afterWrite(
  transaction: Queryable,
  outcome: Outcome,
  written: ReadonlySet<string>,
): Promise<Outcome> {
  if (outcome.kind !== 'made' || written.has(outcome.disbursement.id)) return outcome;
  const { tenantId, reference } = outcome.disbursement;
  const earlier = await findByReference(transaction, tenantId, reference);
  if (!earlier) throw new Error('a disbursement was neither written nor found');
  return { kind: 'earlier', disbursement: earlier };
}

interface Refusal {
  /** A limit of the day, and not the balance. */
  isLimit: boolean;
  error: DomainError;
}

type UsedDay = Awaited<ReturnType<typeof findUsed>>[number];

const keyOf = ({ currency, day, scope, scopeKey }: Omit<DayKey, 'tenantId'>) =>
  `${currency} ${day} ${scope} ${scopeKey}`;

const limitedDays = ({ disbursement, days }: NewDisbursement): DayKey[] =>
  days
    .filter(({ limitMinor }) => limitMinor !== null)
    .map(({ scope, scopeKey }) => {
      const { tenantId, currency } = disbursement;
      return { tenantId, currency, day: dayOf(disbursement), scope, scopeKey };
    });

/** What the rows of one lock may still take of the balances and of the limits of the day. */
class Budget {
  #available: Map<string, bigint>;
  #used: Map<string, bigint>;

  constructor(
    locked: readonly { currency: string; availableMinor: bigint }[],
    used: readonly UsedDay[],
  ) {
    this.#available = new Map(
      locked.map(({ currency, availableMinor }) => [currency, availableMinor]),
    );
    this.#used = new Map(used.map((each) => [keyOf(each), each.usedMinor]));
  }

  /** Takes amount and fee, or says why not. */
  take({ disbursement, days }: NewDisbursement): Refusal | undefined {
    const { currency, amountMinor, feeMinor } = disbursement;
    const key = (day: NewDisbursement['days'][number]) =>
      keyOf({ currency, day: dayOf(disbursement), ...day });
    const exceeded = exceededDay(days, disbursement, (day) => this.#used.get(key(day)) ?? 0n);
    if (exceeded) return { isLimit: true, error: exceeded };
    const availableMinor = this.#available.get(currency) ?? 0n;
    const leftMinor = availableMinor - amountMinor - feeMinor;
    if (leftMinor < 0n)
      return { isLimit: false, error: insufficientBalance(disbursement, availableMinor) };
    this.#available.set(currency, leftMinor);
    for (const day of days)
      this.#used.set(key(day), (this.#used.get(key(day)) ?? 0n) + amountMinor);
    return undefined;
  }
}
