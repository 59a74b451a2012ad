import type { Queryable } from '../postgres/database.ts';

/** What an account of a tenant holds; the names are those of docs/ledger.md. */
export interface Balance {
  merchantId: string;
  merchantName: string;
  mode: 'live' | 'test';
  account: string;
  currency: string;
  balanceMinor: bigint;
}

/** All balances, by merchant, mode, currency and account. */
export function listBalances(database: Queryable): Promise<Balance[]> {
  return database.query<Balance>({
    text: `
SELECT m.id AS "merchantId", m.name AS "merchantName", t.mode, b.account, b.currency,
  b.balance_minor AS "balanceMinor"
FROM balances b
JOIN tenants t ON t.id = b.tenant_id
JOIN merchants m ON m.id = t.merchant_id
ORDER BY m.id, t.mode, b.currency, b.account`,
  });
}
