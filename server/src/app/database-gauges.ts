import { isUnanswered } from '../money/review/subjects.ts';
import { goodSinceMs } from '../operations/backup/store.ts';
import { readBacklog } from '../platform/jobs/backlog.ts';
import type { GaugeGroup } from '../platform/observability/gauges.ts';
import { type Database, timestamp } from '../platform/postgres/database.ts';

/** Due rows, as metrics. */
function dueFigures(database: Database, nowMs: () => number): GaugeGroup {
  return {
    labelNames: ['kind'],
    help: {
      zimbo_due_rows: 'Rows that are due to be processed.',
      zimbo_due_oldest_seconds: 'How long the oldest due row has been waiting.',
    },
    async read() {
      const rows = await readBacklog(database, nowMs());
      return {
        zimbo_due_rows: rows.map(({ kind, count }) => ({ labels: { kind }, value: count })),
        zimbo_due_oldest_seconds: rows.map(({ kind, oldestSeconds }) => ({
          labels: { kind },
          value: oldestSeconds,
        })),
      };
    },
  };
}

interface GaugeDependencies {
  database: Database;
  nowMs: () => number;
  paymentReviewAfterMs: number;
}

/** All metrics that are read from the database. */
export function databaseGauges(dependencies: GaugeDependencies): GaugeGroup[] {
  const { database, nowMs, paymentReviewAfterMs } = dependencies;
  const groups = [
    dueFigures(database, nowMs),
    unansweredFigures(database, () => nowMs() - paymentReviewAfterMs),
    reviewFigures(database),
    ledgerGauges(database),
    reversalFigures(database),
    backupFigures(database),
  ];
  return groups.map((group) => ({ ...group, isOfDatabase: true }));
}

const unansweredStatement = {
  name: 'unanswered_payments',
  text: `SELECT count(*)::integer FROM payments x WHERE ${isUnanswered}`,
};

/** Payments without a definite answer from the operator for long, which are still queried. */
function unansweredFigures(database: Database, sentBeforeMs: () => number): GaugeGroup {
  return {
    labelNames: [],
    help: { zimbo_payments_for_review: 'Payments that a person must ask the operator about.' },
    async read() {
      const values = [timestamp(sentBeforeMs())];
      const [row] = await database.query<{ count: number }>(unansweredStatement, values);
      return { zimbo_payments_for_review: [{ labels: {}, value: row?.count ?? 0 }] };
    },
  };
}

const reviewStatement = {
  name: 'open_review_items',
  text: `
SELECT t.mode, i.kind, count(*)::integer
FROM review_items i JOIN tenants t ON t.id = i.tenant_id
WHERE i.closed_at IS NULL
GROUP BY t.mode, i.kind`,
};

/** Open review items ("zimbo review"). */
function reviewFigures(database: Database): GaugeGroup {
  return {
    labelNames: ['mode', 'kind'],
    help: { zimbo_review_items: 'Open review items, by kind ("zimbo review").' },
    async read() {
      const rows = await database.query<{ mode: string; kind: string; count: number }>(
        reviewStatement,
      );
      const figures = rows.map(({ mode, kind, count }) => ({
        labels: { mode, kind },
        value: count,
      }));
      return { zimbo_review_items: figures };
    },
  };
}

/** A posting moves as much from one account as to another, so all balances together are 0. */
const ledgerStatement = {
  name: 'ledger',
  text: `
SELECT t.mode, b.currency, sum(b.balance_minor)::float8 AS imbalance,
  -- What one tenant has too much does not make good what another lacks.
  coalesce(sum(b.balance_minor) FILTER (WHERE b.account = 'suspense' AND b.balance_minor > 0), 0)::float8
    AS suspense,
  coalesce(-sum(b.balance_minor) FILTER (WHERE b.account = 'suspense' AND b.balance_minor < 0), 0)::float8
    AS missing
FROM balances b JOIN tenants t ON t.id = b.tenant_id
GROUP BY t.mode, b.currency`,
};

/** Totals over the ledgers of all tenants; reads one row for each account of a tenant. */
function ledgerGauges(database: Database): GaugeGroup {
  return {
    labelNames: ['mode', 'currency'],
    help: {
      zimbo_ledger_imbalance:
        'The sum of all balances, in minor units. If it is not 0, the ledger is wrong.',
      zimbo_suspense: 'Wrong debits that have not been returned to customers, in minor units.',
      zimbo_suspense_missing:
        'The deficit of suspense from refunds that went out after they had FAILED, in minor units.',
    },
    async read() {
      const rows = await database.query<Record<'mode' | 'currency', string> & Sums>(
        ledgerStatement,
      );
      const figuresOf = (sum: keyof Sums) =>
        rows.map(({ mode, currency, ...sums }) => ({
          labels: { mode, currency },
          value: sums[sum],
        }));
      return {
        zimbo_ledger_imbalance: figuresOf('imbalance'),
        zimbo_suspense: figuresOf('suspense'),
        zimbo_suspense_missing: figuresOf('missing'),
      };
    },
  };
}

interface Sums {
  imbalance: number;
  suspense: number;
  missing: number;
}

const reversalsStatement = {
  name: 'open_reversals',
  text: `
SELECT t.mode, r.status, count(*)::integer
FROM reversals r JOIN tenants t ON t.id = r.tenant_id
WHERE r.status <> 'SUCCEEDED' AND NOT (r.status = 'FAILED' AND r.by_hand)
GROUP BY t.mode, r.status`,
};

/** Reversals that have not succeeded; they are few, and a person handles FAILED or HELD ones. */
function reversalFigures(database: Database): GaugeGroup {
  return {
    labelNames: ['mode', 'status'],
    help: {
      zimbo_open_reversals:
        'Wrong debits whose reversal has not succeeded, except those that a person has settled.',
    },
    async read() {
      const rows = await database.query<{ mode: string; status: string; count: number }>(
        reversalsStatement,
      );
      const figures = rows.map(({ mode, status, count }) => ({
        labels: { mode, status },
        value: count,
      }));
      return { zimbo_open_reversals: figures };
    },
  };
}

/** Counts like the alert BackupOld, which does not fire if no backup was ever made. */
function backupFigures(database: Database): GaugeGroup {
  return {
    labelNames: [],
    help: {
      zimbo_backup_last_success_timestamp_seconds:
        'When the last good backup began, as a Unix time; without a good one, when the first was tried; absent if none was ever tried.',
    },
    async read() {
      const sinceMs = await goodSinceMs(database);
      const figures = sinceMs === null ? [] : [{ labels: {}, value: Math.floor(sinceMs / 1_000) }];
      return { zimbo_backup_last_success_timestamp_seconds: figures };
    },
  };
}
