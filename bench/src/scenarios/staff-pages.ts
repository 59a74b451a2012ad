import type { Database } from '../../../server/src/platform/postgres/database.ts';
import { systemClock } from '../../../server/src/platform/process/clock.ts';
import { formatId, randomIds } from '../../../server/src/platform/values/ids.ts';
import { openSession } from '../../../server/src/tenants/people/sessions.ts';
import { seedOperatorHistory } from '../../../server/test/support/operator-history.ts';

/** In addition to the merchant with all the payments. */
const moreMerchants = 999;
const waiting = 2_000;
const audited = 200_000;

const records = `
INSERT INTO audit_records (id, tenant_id, at, actor, action, subject, detail)
SELECT uuidv7(), t.id, now() - n * interval '1 second', 'person:pe_' || n % 500,
  (ARRAY['refund.created', 'payment.cancelled', 'person.signed_in'])[1 + n % 3], 'pi_' || n, '{"amount": "1000"}'
FROM generate_series(1, $1::integer) n
CROSS JOIN LATERAL (SELECT id FROM tenants WHERE mode = 'test' ORDER BY id LIMIT 1) t`;

/** 1,000 merchants with money, payments in review, eight days of operator calls, and 200,000 audit records. */
export async function seedStaff(database: Database): Promise<void> {
  const merchants = `
WITH made AS (
  INSERT INTO merchants (id, name, created_at)
  SELECT uuidv7(), 'Loja ' || n, now() - n * interval '1 hour' FROM generate_series(1, $1::integer) n
  RETURNING id
),
tenant AS (
  INSERT INTO tenants (id, merchant_id, mode, created_at)
  SELECT uuidv7(), made.id, mode, now() FROM made CROSS JOIN (VALUES ('live'), ('test')) AS of (mode)
  RETURNING id
)
INSERT INTO balances
SELECT tenant.id, account, 'CVE', sum
FROM tenant CROSS JOIN (VALUES
  ('operator:CVMOVEL', -10000), ('payable', 9800), ('fees', 200)) AS held (account, sum)`;
  await database.query({ text: merchants }, [moreMerchants]);
  const reviews = `
INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
SELECT tenant_id, uuidv7(), 'CONTRADICTION', 'PAYMENT', id, operator,
  '{"told": {"failureCode": "PAYER_LIMIT"}, "booked": {"status": "DEBITED"}}', now()
FROM payments LIMIT $1`;
  await database.query({ text: reviews }, [waiting]);
  await seedOperatorHistory(database, { operator: 'SIMULATOR', days: 8, minuteHours: 192 });
  await database.query({ text: records }, [audited]);
  await database.query({ text: 'ANALYZE' });
}

/** An administrator, signed in without proof. */
export async function signInStaff(database: Database): Promise<string> {
  const [clock, ids] = [systemClock, randomIds()];
  const personId = ids.next(clock.nowMs());
  const person = `INSERT INTO people (id, email, name, language, created_at) VALUES ($1, 'ana@gateway.cv', 'Ana', 'pt', now())`;
  await database.query({ text: person }, [personId]);
  const staff = `INSERT INTO staff (person_id, role, created_at) VALUES ($1, 'ADMIN', now())`;
  await database.query({ text: staff }, [personId]);
  const opening = { personId, signedInWith: 'PASSKEY', address: null, userAgent: null } as const;
  const session = await database.transaction((transaction) =>
    openSession(transaction, { clock, ids }, opening),
  );
  return `zimbo=${session!.token}`;
}

interface Known {
  merchantId: string;
}

/** The most used staff pages, below their address. */
export const staffPaths: [name: string, path: (known: Known) => string][] = [
  ['home', () => ''],
  ['to decide', () => 'reviews?mode=test'],
  ['approvals', () => 'approvals'],
  ['payouts', () => 'settlements'],
  ['payouts that failed', () => 'settlements?mode=test&status=FAILED'],
  ['reconciliations', () => 'reconciliations'],
  ['suspense', () => 'suspense'],
  ['reversals', () => 'reversals'],
  ['ledger', () => 'ledger'],
  ['ledger: postings', ({ merchantId }) => `ledger/${formatId('me', merchantId)}?mode=test`],
  ['audit log', () => 'audit'],
  ['audit log: an action', () => 'audit?action=refund.created'],
  ['audit log: somebody', () => 'audit?actor=person:pe_77'],
  ['processes', () => 'processes'],
  ['keys of /admin/v1', () => 'admin-keys'],
  ['notices', () => 'notices'],
  ['merchants', () => 'merchants'],
  ['merchants: found by name', () => 'merchants?q=loja%2055'],
  ['the merchant with all payments', ({ merchantId }) => `merchants/${formatId('me', merchantId)}`],
  ['operators', () => 'operators'],
  ['an operator, seven days', () => 'operators/SIMULATOR?period=week'],
  ['due work', () => 'work'],
  ['staff', () => 'team'],
];
