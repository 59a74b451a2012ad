import type { NewNotice } from '../notices/notice.ts';
import { writeNotices } from '../notices/write.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { rowsQuery } from '../postgres/query.ts';
import { findDown } from './find-down.ts';

interface WrongBalance {
  what: 'IMBALANCE' | 'SUSPENSE_MISSING';
  currency: string;
}

/*
 * A posting moves as much from one account as to another, so all balances together are 0. Suspense lacks what a refund
 * took out after it had FAILED. One row for each account of a tenant is read.
 */
const findWrongBalances = rowsQuery<WrongBalance, []>({
  name: 'notices.wrong_balances',
  text: `
SELECT 'IMBALANCE' AS what, b.currency
FROM balances b JOIN tenants t ON t.id = b.tenant_id AND t.mode = 'live'
GROUP BY b.currency HAVING sum(b.balance_minor) <> 0
UNION ALL
SELECT DISTINCT 'SUSPENSE_MISSING', b.currency
FROM balances b JOIN tenants t ON t.id = b.tenant_id AND t.mode = 'live'
WHERE b.account = 'suspense' AND b.balance_minor < 0`,
});

/** Writes down what is so now. One that is on already was seen once more. */
export async function observe(database: Database, nowMs: number): Promise<void> {
  await writeNotices(database, await statesNow(database, nowMs));
}

async function statesNow(database: Queryable, atMs: number): Promise<NewNotice[]> {
  const [down, wrong] = [await findDown(database), await findWrongBalances(database)];
  const common = { tenantId: null, atMs };
  return [
    ...down.map(
      (subject): NewNotice => ({ ...common, kind: 'OPERATOR_DOWN', subject, detail: {} }),
    ),
    ...wrong.map(
      (detail): NewNotice => ({
        ...common,
        kind: 'BALANCE_WRONG',
        subject: `${detail.what} ${detail.currency}`,
        detail,
      }),
    ),
  ];
}
