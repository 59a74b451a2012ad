import { countByKey } from '../../integrations/webhooks/reencrypt.ts';
import { inspectLedger } from '../../money/ledger/check.ts';
import { listOpenCases } from '../../money/review/open-cases.ts';
import { unsealed } from '../../platform/audit/store.ts';
import type { Config } from '../../platform/config/config.ts';
import { formatAge, formatAmount } from '../../platform/formats/display-format.ts';
import { readBacklog } from '../../platform/jobs/backlog.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { findDigestKeyBox, opensDigestKey } from '../../platform/secrets/digest-key.ts';
import { createSecretBox, isUnder } from '../../platform/secrets/secret-box.ts';
import type { SecretKeys } from '../../platform/secrets/secret-keys.ts';
import { formatId } from '../../platform/values/ids.ts';
import { countCodesByKey } from '../../tenants/people/reencrypt.ts';
import { backupFinding } from './backup-check.ts';
import { type Check, type Finding, failure, ok, warning } from './check.ts';

export interface WorkDependencies {
  database: Database;
  config: Pick<Config, 'paymentReviewAfterMs' | 'backup'>;
  clock: Clock;
  /** The keys of the gateway, if any. */
  findKeys: () => Promise<SecretKeys | undefined>;
}

const ledgerLimitMs = 60_000;
const keyLimitMs = 30_000;
const dayMs = 86_400_000;
const settlementLimitMs = 3 * dayMs;
const overdueMs = 60_000;
const sealOverdueMs = 600_000;
const longOverdueMs = 3_600_000;

/** The stored data: whether it can be decrypted, pending work, and the correctness of the ledger. */
export function workChecks(dependencies: WorkDependencies): Check[] {
  return [
    { name: 'Secret key', run: () => secretKeyFinding(dependencies), limitMs: keyLimitMs },
    { name: 'Alerts', run: () => alertsFinding(dependencies) },
    { name: 'Due work', run: () => dueFinding(dependencies) },
    { name: 'Waiting', run: () => waitingFinding(dependencies) },
    { name: 'Review', run: () => reviewFinding(dependencies) },
    { name: 'Suspense', run: () => suspenseFinding(dependencies) },
    { name: 'Reversals', run: () => reversalsFinding(dependencies) },
    { name: 'Refunds', run: () => refundsFinding(dependencies) },
    { name: 'Settlements', run: () => settlementsFinding(dependencies) },
    { name: 'Backups', run: () => backupFinding(dependencies) },
    { name: 'Audit log', run: () => auditFinding(dependencies) },
    {
      name: 'Ledger',
      run: () => ledgerFinding(dependencies),
      limitMs: ledgerLimitMs,
      whenLate: warning(
        'not finished within a minute',
        'Run it without a time limit:  zimbo ledger check',
      ),
    },
  ];
}

async function secretKeyFinding({ database, findKeys }: WorkDependencies): Promise<Finding> {
  const keys = await findKeys();
  const digestBox = await findDigestKeyBox(database);
  if (!keys) {
    const stored = await database.query({
      text: `(SELECT FROM webhook_endpoints LIMIT 1)
        UNION ALL (SELECT FROM people WHERE totp_box IS NOT NULL LIMIT 1)`,
    });
    return stored.length === 0 && !digestBox
      ? ok('none yet, and none needed')
      : failure('there is none, but secrets are stored', 'Restore ZIMBO_SECRET_KEY or secret.key.');
  }
  const secrets = createSecretBox(keys.current, keys.previous);
  const { current, previous, unreadable } = await countByKey({ database, secrets });
  if (digestBox && !opensDigestKey(digestBox, secrets)) {
    return failure(
      'cannot decrypt the digest key',
      'Phones are neither limited nor blocked, and repeats of earlier requests are answered with 409. Set ZIMBO_SECRET_KEY_PREVIOUS to the previous key (docs/keys.md#the-secret-key).',
    );
  }
  if (unreadable.length > 0) {
    const names = unreadable.slice(0, 5).map(({ id }) => formatId('we', id));
    return failure(
      `cannot decrypt the secrets of ${unreadable.length}: ${names.join(', ')}${unreadable.length > 5 ? ' …' : ''}`,
      'Nothing is delivered to them. Set ZIMBO_SECRET_KEY_PREVIOUS to the previous key (docs/keys.md#the-secret-key).',
    );
  }
  const codes = await countCodesByKey(database, secrets);
  if (codes.unreadable.length > 0) {
    return failure(
      `does not open the one-time codes of ${codes.unreadable.length} people`,
      'They cannot sign in with a password. Set ZIMBO_SECRET_KEY_PREVIOUS to the key from before (docs/keys.md#the-secret-key).',
    );
  }
  const digestKeys = digestBox ? 1 : 0;
  const stored = current + previous + digestKeys + codes.current + codes.previous;
  const underPrevious =
    previous + codes.previous + (digestBox && !isUnder(digestBox, secrets) ? 1 : 0);
  if (underPrevious > 0) {
    return warning(
      `${underPrevious} of ${stored} still need the previous key`,
      'Finish the rotation:  zimbo secrets rotate',
    );
  }
  return ok(stored === 0 ? 'set, and nothing stored yet' : `decrypts all ${stored} stored`);
}

async function auditFinding({ database, clock }: WorkDependencies): Promise<Finding> {
  const { count, oldestMs } = await unsealed(database);
  if (oldestMs === null || clock.nowMs() - oldestMs < sealOverdueMs) return ok('sealed');
  return warning(
    `${count} not sealed; the oldest for ${formatAge(clock.nowMs() - oldestMs)}`,
    "No worker seals them: look at the gateways' log. To seal by hand:  zimbo audit head",
  );
}

async function dueFinding({ database, clock }: WorkDependencies): Promise<Finding> {
  const rows = await readBacklog(database, clock.nowMs());
  const late = rows.filter(({ oldestSeconds }) => oldestSeconds * 1_000 > overdueMs);
  if (late.length === 0) return ok('nothing is overdue');
  const figure = late
    .map(
      ({ kind, count, oldestSeconds }) =>
        `${kind.replaceAll('_', ' ')}: ${count}, the oldest ${formatAge(oldestSeconds * 1_000)}`,
    )
    .join('; ');
  const advice =
    'Is a gateway running with ZIMBO_ROLE worker or all? If so, its log says what holds it up.';
  const isLong = late.some(({ oldestSeconds }) => oldestSeconds * 1_000 > longOverdueMs);
  return isLong ? failure(figure, advice) : warning(figure, advice);
}

/** By the kinds of docs/notices.md. */
async function alertsFinding({ database, clock }: WorkDependencies): Promise<Finding> {
  const rows = await database.query<{ subject: string; atMs: number }>({
    text: `SELECT subject, at AS "atMs" FROM notices WHERE kind = 'ALERT' AND ended_at IS NULL ORDER BY id LIMIT 20`,
  });
  if (rows.length === 0) return ok('none');
  const figure = rows.map(
    ({ subject, atMs }) => `${subject}, for ${formatAge(clock.nowMs() - atMs)}`,
  );
  const advice = 'What each means, and which runbook helps: docs/runbooks/README.md#alerts';
  return warning(figure.join('\n'), advice);
}

async function waitingFinding({ database, clock }: WorkDependencies): Promise<Finding> {
  const [row] = await database.query<{ deliveries: number; endpoints: number; sinceMs: number }>({
    text: `SELECT count(*)::integer AS deliveries, count(DISTINCT (tenant_id, endpoint_id))::integer AS endpoints,
        min(created_at) AS "sinceMs"
      FROM deliveries WHERE status = 'PENDING' AND due_at IS NULL`,
  });
  if (!row || row.deliveries === 0) return ok('no delivery waits for a disabled endpoint');
  const age = formatAge(clock.nowMs() - row.sinceMs);
  return warning(
    `${row.deliveries} for ${row.endpoints} disabled, the oldest ${age}`,
    'They wait until the merchant enables the endpoint, or deletes it.',
  );
}

/** One tenant's surplus does not compensate for another's shortage. */
async function suspenseFinding({ database }: WorkDependencies): Promise<Finding> {
  type Row = { currency: string; isMissing: boolean; totalMinor: bigint; tenants: number };
  const rows = await database.query<Row>({
    text: `SELECT currency, balance_minor < 0 AS "isMissing", sum(abs(balance_minor)) AS "totalMinor",
        count(*)::integer AS tenants
      FROM balances WHERE account = 'suspense' AND balance_minor <> 0
      GROUP BY currency, balance_minor < 0 ORDER BY 1, 2`,
  });
  if (rows.length === 0) return ok('empty');
  const amounts = rows.map(
    ({ currency, isMissing, totalMinor, tenants }) =>
      `${formatAmount(totalMinor, currency)}${isMissing ? ' missing' : ''} of ${tenants} tenant${tenants === 1 ? '' : 's'}`,
  );
  const advice = rows.every(({ isMissing }) => isMissing)
    ? 'Refunds that went out after they had failed:  zimbo ledger suspense'
    : 'Money that must go back:  zimbo ledger suspense';
  return warning(amounts.join(', '), advice);
}

/** In the order of "zimbo review". */
async function reviewFinding({ database, clock, config }: WorkDependencies): Promise<Finding> {
  const waiting = await listOpenCases(database, clock.nowMs() - config.paymentReviewAfterMs);
  const live = waiting.filter(({ mode }) => mode === 'live');
  const [oldest] = live;
  if (!oldest) return ok('nothing waits for a person');
  const kinds = Map.groupBy(live, ({ kind }) => kind);
  const counts = [...kinds].map(([kind, { length }]) => `${length} ${kind}`).toSorted();
  const age = formatAge(clock.nowMs() - oldest.sinceMs);
  return warning(
    `${counts.join(', ')}; the oldest ${age}`,
    'Ask the operator, and record its answer: zimbo review',
  );
}

/** Reversals that ended without success, and those still being tried after a day. */
type Review = { failed: number; stuck: number };

async function reversalsFinding({ database, clock }: WorkDependencies): Promise<Finding> {
  const text = `SELECT count(*) FILTER (WHERE status = 'FAILED')::integer AS failed,
      count(*) FILTER (WHERE status IN ('PENDING', 'PROCESSING') AND created_at < $1)::integer AS stuck
    FROM reversals WHERE status <> 'SUCCEEDED' AND NOT by_hand`;
  const review = await reviewOf(database, text, clock.nowMs() - dayMs);
  if (review.failed + review.stuck === 0) return ok('none needs attention');
  return warning(
    `${review.failed} refused by the operator, ${review.stuck} tried for more than a day`,
    'Ask the operator, then record its answer: zimbo review',
  );
}

async function refundsFinding({ database, clock }: WorkDependencies): Promise<Finding> {
  const text = `SELECT count(*) FILTER (WHERE status = 'FAILED')::integer AS failed,
      count(*) FILTER (WHERE status <> 'FAILED')::integer AS stuck
    FROM refunds
    WHERE status = 'FAILED' AND operator_refund_id IS NOT NULL
      OR status IN ('PENDING', 'PROCESSING') AND created_at < $1`;
  const review = await reviewOf(database, text, clock.nowMs() - dayMs);
  if (review.failed + review.stuck === 0) return ok('none needs attention');
  return warning(
    `${review.failed} succeeded after they had failed, ${review.stuck} tried for more than a day`,
    'Ask the operator, and compare its statement:  zimbo reconcile --help',
  );
}

async function reviewOf(database: Database, text: string, beforeMs: number): Promise<Review> {
  const [row] = await database.query<Review>({ text }, [new Date(beforeMs).toISOString()]);
  return row ?? { failed: 0, stuck: 0 };
}

async function settlementsFinding({ database, clock }: WorkDependencies): Promise<Finding> {
  const text = `SELECT count(*) FILTER (WHERE created_at < $1)::integer AS count, min(created_at) AS "sinceMs",
      count(payout_error)::integer AS "failing" FROM settlements
    WHERE status IN ('PENDING', 'PROCESSING')`;
  const nowMs = clock.nowMs();
  const before = new Date(nowMs - settlementLimitMs).toISOString();
  type Row = { count: number; sinceMs: number; failing: number };
  const [row] = await database.query<Row>({ text }, [before]);
  if (row && row.failing > 0) {
    return warning(
      `${row.failing} whose payout cannot be dispatched`,
      '"zimbo settlements list" shows why; docs/settlements.md#if-a-payout-is-stuck says what to do.',
    );
  }
  if (!row || row.count === 0) return ok('none has been open for more than three days');
  return warning(
    `${row.count} open for more than three days, the oldest for ${formatAge(nowMs - row.sinceMs)}`,
    'Has the bank paid? List them with "zimbo settlements list", and close them with "zimbo settlements complete" or "fail".',
  );
}

async function ledgerFinding({ database }: WorkDependencies): Promise<Finding> {
  const { problems, inFlight } = await inspectLedger(database);
  if (problems.length > 0) {
    const figure = `${problems.length} problem${problems.length === 1 ? '' : 's'}`;
    return failure(figure, 'First find out what is wrong:  zimbo ledger check');
  }
  const flying = inFlight.reduce((sum, { count }) => sum + count, 0);
  return ok(flying === 0 ? 'correct' : `correct; ${flying} in flight at the simulated operators`);
}
