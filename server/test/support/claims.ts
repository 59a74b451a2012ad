import { claimApproved } from '../../src/backoffice/approvals/store.ts';
import { claimMarkedDifferences } from '../../src/backoffice/reconciliations/difference-store.ts';
import { claimDueComparisons } from '../../src/backoffice/reconciliations/store.ts';
import { claimDueDeliveries } from '../../src/integrations/webhooks/delivery-store.ts';
import {
  claimDueCallbacks,
  finishCallback,
  type OperatorCallback,
} from '../../src/money/callbacks/store.ts';
import {
  claimDueBatches,
  type DueBatch,
  rescheduleBatch,
} from '../../src/money/disbursements/batches/store.ts';
import {
  claimDueDisbursements,
  type DueDisbursement,
  rescheduleDisbursements,
} from '../../src/money/disbursements/lease-store.ts';
import {
  claimDuePayments,
  type DuePayment,
  renewPayment,
  reschedulePayments,
  unsendPayment,
} from '../../src/money/payments/lease-store.ts';
import { transitionPayments } from '../../src/money/payments/transition-store.ts';
import {
  claimDueRefunds,
  type DueRefund,
  rescheduleRefunds,
} from '../../src/money/refunds/lease-store.ts';
import { claimDueReversals } from '../../src/money/reversals/store.ts';
import { claimDueSettlements } from '../../src/money/settlements/store.ts';
import { claimErasing } from '../../src/operations/privacy/erasures-store.ts';
import type { Queryable } from '../../src/platform/postgres/database.ts';
import { pageBytes } from '../../src/platform/postgres/page-bytes.ts';
import { claimDueSessions } from '../../src/storefront/checkout/store.ts';

export const dueRows = 5_000;
export const limit = 64;
export const nowMs = 2_000_000_000;

export type Take = (
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
) => Promise<object[]>;

export interface Claim {
  table: string;
  take: Take;
  /** Inserts rows $1 to $2 of one merchant, each due a little later than the previous one. */
  insert: string;
  /** Inserts the rows that this table references. */
  prepare?: string[];
  /** Updates claimed rows under their lease. */
  write?: (database: Queryable, rows: never[]) => Promise<unknown>;
}

export const tenant = `'0a1b2c3d-0000-7000-8000-000000000001'::uuid`;
const id = 'md5(n::text)::uuid';
const due = `to_timestamp(1000000 + n / 1000.0)`;
const rows = 'generate_series($1::integer, $2::integer) AS n';

const rescheduled = <Row>(row: Row) => ({
  row,
  plan: { dueAtMs: nowMs, sentAtMs: null },
  isQuery: true,
});

/** Every claim in the code, by statement name. */
export const claims: Record<string, Claim> = {
  'payments.claim': {
    table: 'payments',
    take: claimDuePayments,
    write: async (database, rows: DuePayment[]) => {
      const [moved, rescheduled] = [rows.slice(0, 28), rows.slice(28, 56)];
      const later = (row: DuePayment) => ({ leaseMs: row.dueAtMs!, dueAtMs: row.dueAtMs! + 1_000 });
      const next = (seen: DuePayment) => ({ ...seen, status: 'OPERATOR_PENDING' }) as const;
      const steps = moved.map((seen) => ({ seen, next: next(seen), ...later(seen), postings: [] }));
      await transitionPayments(database, steps, nowMs);
      const waits = rescheduled.map((payment) => ({ payment, ...later(payment) }));
      await reschedulePayments(database, waits);
      for (const row of rows.slice(56, 60)) await renewPayment(database, row, nowMs);
      for (const row of rows.slice(60)) {
        await unsendPayment(database, { ...row, ...later(row), sentAtMs: null });
      }
    },
    insert: `
      INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
        operator_phone, ask_count, due_at, expires_at, created_at, updated_at)
      SELECT ${tenant}, ${id}, 1, 'CREATED', 10000, 200, 'CVE', 'MOCK', '+2389912345', 0, ${due}, ${due},
        ${due}, ${due} FROM ${rows}`,
  },
  'refunds.claim': {
    table: 'refunds',
    take: claimDueRefunds,
    write: async (database, rows: DueRefund[]) => {
      await rescheduleRefunds(database, rows.map(rescheduled));
    },
    insert: `
      INSERT INTO refunds (tenant_id, id, payment_id, version, status, amount_minor, currency, operator,
        operator_tx_id, ask_count, due_at, created_at, updated_at)
      SELECT ${tenant}, ${id}, ${id}, 1, 'PENDING', 10000, 'CVE', 'MOCK', 'OP-1', 0, ${due}, ${due}, ${due}
      FROM ${rows}`,
  },
  'disbursements.claim': {
    table: 'disbursements',
    take: claimDueDisbursements,
    write: async (database, rows: DueDisbursement[]) => {
      await rescheduleDisbursements(database, rows.map(rescheduled));
    },
    insert: `
      INSERT INTO disbursements (tenant_id, id, reference, version, status, amount_minor, fee_minor, currency,
        operator, operator_phone, ask_count, due_at, expires_at, created_at, updated_at)
      SELECT ${tenant}, ${id}, ${id}, 1, 'CREATED', 10000, 200, 'CVE', 'MOCK', '+2389912345', 0, ${due}, ${due},
        ${due}, ${due} FROM ${rows}`,
  },
  'disbursement_batches.claim': {
    table: 'disbursement_batches',
    take: (database, nowMs, leaseMs, limit) =>
      claimDueBatches(database, { nowMs, leaseMs, limit, busyModes: [] }),
    write: async (database, rows: DueBatch[]) => {
      for (const row of rows) await rescheduleBatch(database, row, nowMs);
    },
    insert: `
      INSERT INTO disbursement_batches (tenant_id, id, version, status, item_count, items_digest, totals,
        idempotency_key, due_at, created_at, updated_at)
      SELECT ${tenant}, ${id}, 1, 'PROCESSING', 1, decode(md5(n::text), 'hex'), '[]', n::text, ${due}, ${due}, ${due}
      FROM ${rows}`,
  },
  'reversals.claim': {
    table: 'reversals',
    take: claimDueReversals,
    insert: `
      INSERT INTO reversals (tenant_id, id, payment_id, reason, status, amount_minor, currency, operator,
        operator_tx_id, ask_count, due_at, created_at, updated_at)
      SELECT ${tenant}, ${id}, ${id}, 'LATE_DEBIT', 'PENDING', 10000, 'CVE', 'MOCK', 'OP-' || n, 0, ${due},
        ${due}, ${due} FROM ${rows}`,
  },
  'settlements.claim': {
    table: 'settlements',
    take: claimDueSettlements,
    // A merchant has at most one open row, so each row gets its own merchant.
    insert: `
      INSERT INTO settlements (tenant_id, id, version, merchant_id, status, currency, gross_minor, fee_minor,
        refund_minor, net_minor, item_count, period_start, period_end, due_at, created_at)
      SELECT ${id}, ${id}, 1, ${id}, 'PENDING', 'CVE', 10000, 200, 0, 9800, 1, ${due}, ${due}, ${due}, ${due}
      FROM ${rows}`,
  },
  'checkout_sessions.claim': {
    table: 'checkout_sessions',
    take: claimDueSessions,
    insert: `
      INSERT INTO checkout_sessions (tenant_id, id, version, status, amount_minor, currency, items,
        link_secret, attempt_in_flight, attempt_count, due_at, expires_at, created_at, updated_at)
      SELECT ${tenant}, ${id}, 1, 'OPEN', 10000, 'CVE', '[]', '', false, 0, ${due}, ${due}, ${due}, ${due}
      FROM ${rows}`,
  },
  'approvals.claim': {
    table: 'approvals',
    take: claimApproved,
    insert: `
      INSERT INTO approvals (tenant_id, id, kind, status, subject_id, subject_state, request, asked_by, asked_at,
        expires_at, due_at)
      SELECT ${tenant}, ${id}, 'REFUND', 'APPROVED', ${id}, '', '{}', ${id}, ${due}, ${due}, ${due} FROM ${rows}`,
  },
  'reconciliations.claim': {
    table: 'reconciliations',
    take: claimDueComparisons,
    insert: `
      INSERT INTO reconciliations (id, status, operator, mode, file_name, file_digest, file_bytes, has_lines,
        uploaded_by, asked_by, asked_at, due_at, line_count, created_at)
      SELECT ${id}, 'COMPARING', 'MOCK', 'test', 'x.csv', decode(md5(n::text), 'hex'), 1, true, 'x', 'x', ${due},
        ${due}, 1, ${due} FROM ${rows}`,
  },
  'reconciliation_differences.claim': {
    table: 'reconciliation_differences',
    take: claimMarkedDifferences,
    insert: `
      INSERT INTO reconciliation_differences (reconciliation_id, id, identity, status, kind, type, due_at)
      SELECT ${tenant}, ${id}, decode(md5(n::text), 'hex'), 'OPEN', 'DIFFERENT_STATUS', 'DEBIT', ${due} FROM ${rows}`,
  },
  'operator_callbacks.claim': {
    table: 'operator_callbacks',
    take: claimDueCallbacks,
    write: async (database, rows: OperatorCallback[]) => {
      for (const row of rows) {
        await finishCallback(database, { ...row, leaseMs: row.dueAtMs, contradicts: false });
      }
    },
    insert: `
      INSERT INTO operator_callbacks (tenant_id, operator, reference, outcome, kind, body, due_at, received_at)
      SELECT ${tenant}, 'MOCK', ${id}, 'succeeded', 'DEBIT', '{}', ${due}, ${due} FROM ${rows}`,
  },
  'erasing_payments.claim': {
    table: 'erasing_payments',
    take: (database, nowMs, leaseMs, limit) =>
      claimErasing(database, { nowMs, leaseMs, limit, erasureId: null }),
    insert: `
      INSERT INTO erasing_payments (tenant_id, payment_id, due_at)
      SELECT ${tenant}, ${id}, ${due} FROM ${rows}`,
  },
  'deliveries.claim': {
    table: 'deliveries',
    take: (database, nowMs, leaseMs, limit) =>
      claimDueDeliveries(database, {
        nowMs,
        leaseMs,
        limit,
        bytes: pageBytes,
        bytesPerTenant: pageBytes,
        full: { endpointIds: [], tenantIds: [], test: false },
      }),
    prepare: [
      `WITH merchant AS (
        INSERT INTO merchants (id, name, created_at) VALUES (${tenant}, 'Loja', now()) RETURNING id
      )
      INSERT INTO tenants (id, merchant_id, mode, created_at)
      SELECT id, id, 'test', now() FROM merchant`,
      `INSERT INTO webhook_endpoints (tenant_id, id, version, url, events, status, secret_box, created_at,
        updated_at)
      VALUES (${tenant}, ${tenant}, 1, 'https://shop.example/', '{*}', 'ACTIVE', '', now(), now())`,
      `INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
      SELECT ${tenant}, ${id}, 'payment.created', ${id}, 1, '{}', now() FROM generate_series(1, 5000) AS n`,
      'ANALYZE webhook_endpoints',
      'ANALYZE events',
    ],
    insert: `
      INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, due_at, created_at,
        updated_at)
      SELECT ${tenant}, ${tenant}, ${id}, 'PENDING', 0, ${due}, ${due}, ${due} FROM ${rows}`,
  },
};
