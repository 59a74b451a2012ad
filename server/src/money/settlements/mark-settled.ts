import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import type { Payment } from '../payments/payment.ts';
import { settleTransitions } from '../payments/settle.ts';
import { paymentColumns } from '../payments/store.ts';
import { transitionPayments } from '../payments/transition-store.ts';
import type { Settlement } from './settlement.ts';

export interface MarkSettledDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  dispatcher: DeliveryDispatcher;
}

/** Small enough that concurrent changes of these payments wait for milliseconds at most. */
const chunkSize = 150;

/**
 * Marks the next payments of a completed settlement as settled, and records its progress, in one transaction: after a
 * crash it resumes there. Undefined if no payments are left, or the lease has passed to another process.
 */
export async function markChunkSettled(
  dependencies: MarkSettledDependencies,
  settlement: Settlement,
  renewedLeaseMs: number,
): Promise<Settlement | undefined> {
  const nowMs = dependencies.clock.nowMs();
  const chunk = await dependencies.database.transaction(async (transaction) => {
    const announced = await nextPayments(transaction, settlement);
    const next = positionAfter(settlement, announced, renewedLeaseMs);
    if (!(await moveCursor(transaction, settlement, next))) return undefined;
    const transitions = settleTransitions(announced.payments, dependencies.ids, nowMs);
    const events = transitions.flatMap(({ event }) => event ?? []);
    const dueAtMs = dependencies.dispatcher.leaseMs(nowMs, events);
    const { subscriptions } = await transitionPayments(transaction, transitions, dueAtMs);
    return { next, events, subscriptions, dueAtMs };
  });
  if (!chunk) return undefined;
  dependencies.dispatcher.accept(chunk.subscriptions, chunk.events, chunk.dueAtMs);
  return chunk.next.dueAtMs === null ? undefined : chunk.next;
}

interface Announced {
  period: number | null;
  payments: Payment[];
}

const periodStatement = {
  name: 'settlement_periods.next',
  text: `
SELECT min(period) AS period FROM settlement_periods
WHERE tenant_id = $1 AND settlement_id = $2 AND ($3::integer IS NULL OR period > $3)`,
};

const paymentsStatement = {
  name: 'settlements.lock_next_payments',
  text: `
WITH next AS MATERIALIZED (
  SELECT tenant_id AS of_tenant, source_id FROM postings
  WHERE tenant_id = $1 AND currency = $2 AND period = $3 AND kind = 'debit_net' AND source_id > $4
  ORDER BY source_id LIMIT ${chunkSize}
)
SELECT ${paymentColumns} FROM payments JOIN next ON tenant_id = of_tenant AND id = source_id
ORDER BY id FOR UPDATE OF payments`,
};

/** Sorts before any payment id. */
const beginning = '00000000-0000-0000-0000-000000000000';

/** The next payments in the order of their ids, period by period, locked against other changes. */
async function nextPayments(transaction: Queryable, settlement: Settlement): Promise<Announced> {
  const { tenantId, id, currency, toldPeriod, toldThrough } = settlement;
  const ofPeriod = (period: number, after: string | null) => {
    const position = [tenantId, currency, period, after ?? beginning];
    return transaction.query<Payment>(paymentsStatement, position);
  };
  if (toldPeriod !== null) {
    const payments = await ofPeriod(toldPeriod, toldThrough);
    if (payments.length > 0) return { period: toldPeriod, payments };
  }
  const values = [tenantId, id, toldPeriod];
  const [row] = await transaction.query<{ period: number | null }>(periodStatement, values);
  if (!row || row.period === null) return { period: null, payments: [] };
  return { period: row.period, payments: await ofPeriod(row.period, null) };
}

function positionAfter(
  settlement: Settlement,
  announced: Announced,
  renewedLeaseMs: number,
): Settlement {
  if (announced.period === null) return { ...settlement, dueAtMs: null };
  const toldThrough = announced.payments.at(-1)?.id ?? null;
  return { ...settlement, toldPeriod: announced.period, toldThrough, dueAtMs: renewedLeaseMs };
}

const cursorStatement = {
  name: 'settlements.move_cursor',
  text: `
UPDATE settlements SET told_period = $4, told_through = $5, due_at = $6
WHERE tenant_id = $1 AND id = $2 AND ${isUnderLease('due_at', '$3')}
RETURNING id`,
};

async function moveCursor(
  transaction: Queryable,
  seen: Settlement,
  next: Settlement,
): Promise<boolean> {
  const rows = await transaction.query(cursorStatement, [
    seen.tenantId,
    seen.id,
    timestamp(seen.dueAtMs),
    next.toldPeriod,
    next.toldThrough,
    timestamp(next.dueAtMs),
  ]);
  return rows.length > 0;
}
