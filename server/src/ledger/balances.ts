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

/** All balances, or those of a merchant, by merchant, mode, currency and account. */
export function listBalances(database: Queryable, merchantId?: string): Promise<Balance[]> {
  const text = `
SELECT m.id AS "merchantId", m.name AS "merchantName", t.mode, b.account, b.currency,
  b.balance_minor AS "balanceMinor"
FROM balances b
JOIN tenants t ON t.id = b.tenant_id
JOIN merchants m ON m.id = t.merchant_id
WHERE $1::uuid IS NULL OR m.id = $1
ORDER BY m.id, t.mode, b.currency, b.account`;
  return database.query<Balance>({ text }, [merchantId ?? null]);
}
