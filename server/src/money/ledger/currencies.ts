import type { Queryable } from '../../platform/postgres/database.ts';
import type { Currency } from '../../platform/values/money.ts';

const statement = {
  name: 'ledger.currencies',
  text: 'SELECT DISTINCT currency FROM balances WHERE tenant_id = $1',
};

/** The currencies of a tenant's ledger. */
export async function findCurrencies(database: Queryable, tenantId: string): Promise<Currency[]> {
  const rows = await database.query<{ currency: Currency }>(statement, [tenantId]);
  return rows.map(({ currency }) => currency);
}
