import { Conditions } from '../../platform/postgres/conditions.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { formatId, parseId } from '../../platform/values/ids.ts';

/** The balance of a tenant's account; docs/ledger.md names the accounts. */
export interface Balance {
  merchantId: string;
  merchantName: string;
  mode: 'live' | 'test';
  account: string;
  currency: string;
  balanceMinor: bigint;
}

/** The page starts after this account, if given. */
export type AccountPosition = Pick<Balance, 'merchantId' | 'mode' | 'currency' | 'account'>;

const accountIdShape = /^(me_\w{26})\.(live|test)\.([A-Z]{3})\.([A-Za-z_:]{1,60})$/;
/** The regular expression of the ids that {@link parseAccountId} accepts. */
export const accountIdPattern = accountIdShape.source;

/** `me_….live.CVE.payable`. */
export const accountId = ({ merchantId, mode, currency, account }: AccountPosition): string =>
  [formatId('me', merchantId), mode, currency, account].join('.');

/** The account that an id names; undefined for a malformed id. */
export function parseAccountId(id: string): AccountPosition | undefined {
  const [, merchant = '', mode, currency = '', account = ''] = accountIdShape.exec(id) ?? [];
  const merchantId = parseId('me', merchant);
  if (merchantId === undefined) return undefined;
  return { merchantId, mode: mode as AccountPosition['mode'], currency, account };
}

export interface AccountFilter {
  merchantId?: string | undefined;
  /** A substring of the merchant's name. */
  merchantName?: string | undefined;
  mode?: 'live' | 'test' | undefined;
  currency?: string | undefined;
}

/**
 * Accounts in the order of merchant, mode, currency and name: along the keys of merchants, their tenants and
 * balances.
 */
export function accountPage(
  database: Queryable,
  { merchantId, merchantName, mode, currency }: AccountFilter,
  page: { limit: number; after?: AccountPosition | undefined },
): Promise<Balance[]> {
  const asked = new Conditions([page.limit]);
  asked.where('m.id = ?', merchantId);
  asked.where('strpos(lower(m.name), lower(?)) > 0', merchantName);
  asked.where('t.mode = ?', mode);
  asked.where('b.currency = ?', currency);
  if (page.after !== undefined) {
    const { after } = page;
    const position = [after.merchantId, after.mode, after.currency, after.account];
    const given = position.map((value) => asked.value(value));
    // The first page is separate, so that the index scan starts there.
    asked.and(`m.id >= ${given[0]}`);
    asked.and(`(m.id, t.mode, b.currency, b.account) > (${given.join(', ')})`);
  }
  const text = `
SELECT m.id AS "merchantId", m.name AS "merchantName", t.mode, b.account, b.currency,
  b.balance_minor AS "balanceMinor"
FROM merchants m
JOIN tenants t ON t.merchant_id = m.id
JOIN balances b ON b.tenant_id = t.id
WHERE ${asked.text}
ORDER BY m.id, t.mode, b.currency, b.account LIMIT $1`;
  return database.query<Balance>({ text }, asked.values);
}

/** The sum over all accounts of one name, in one mode and currency. */
export interface AccountSum {
  mode: 'live' | 'test';
  currency: string;
  account: string;
  totalMinor: bigint;
}

/** Sums over the requested accounts. The gateway's balances are a few for each tenant. */
export function accountSums(
  database: Queryable,
  { merchantId, merchantName, mode, currency }: AccountFilter,
): Promise<AccountSum[]> {
  const asked = new Conditions([]);
  asked.where('t.mode = ?', mode);
  asked.where('b.currency = ?', currency);
  asked.where('m.id = ?', merchantId);
  asked.where('strpos(lower(m.name), lower(?)) > 0', merchantName);
  const text = `
SELECT t.mode, b.currency, b.account, sum(b.balance_minor) AS "totalMinor"
FROM balances b JOIN tenants t ON t.id = b.tenant_id JOIN merchants m ON m.id = t.merchant_id
WHERE ${asked.text}
GROUP BY t.mode, b.currency, b.account ORDER BY t.mode, b.currency, b.account`;
  return database.query<AccountSum>({ text }, asked.values);
}

/** A tenant whose accounts in one currency do not add up to zero, as they must. */
export interface Imbalance {
  merchantId: string;
  merchantName: string;
  mode: 'live' | 'test';
  currency: string;
  totalMinor: bigint;
}

/** The first few of these, if there are any. */
export function imbalances(database: Queryable, limit: number): Promise<Imbalance[]> {
  const text = `
SELECT t.merchant_id AS "merchantId", m.name AS "merchantName", t.mode, b.currency,
  sum(b.balance_minor) AS "totalMinor"
FROM balances b JOIN tenants t ON t.id = b.tenant_id JOIN merchants m ON m.id = t.merchant_id
GROUP BY t.merchant_id, m.name, t.mode, b.currency HAVING sum(b.balance_minor) <> 0
ORDER BY t.merchant_id, t.mode, b.currency LIMIT $1`;
  return database.query<Imbalance>({ text }, [limit]);
}
