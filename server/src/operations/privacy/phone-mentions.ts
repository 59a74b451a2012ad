import type { RequestHashes } from '../../platform/idempotency/idempotency.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { groupByBytes } from '../../platform/postgres/page-bytes.ts';
import { erasedDigits, phoneInText, phoneWrittenInText } from '../../platform/values/phone.ts';
import { noteSealedKeys } from './erase-store.ts';
import { keyedTables, type MentionTable, mentionTables } from './mention-tables.ts';

const zeroUuid = '00000000-0000-0000-0000-000000000000';

/** Key columns that are not UUIDs. */
const keyTypes: Record<string, 'text' | 'bytea'> = {
  operator: 'text',
  outcome: 'text',
  phone_digest: 'bytea',
  key_hash: 'bytea',
};
const firstOf = { uuid: zeroUuid, text: '', bytea: Buffer.alloc(0) };
const pageSize = 5_000;

/** The rows that have a phone of their own. */
const owners = `
  SELECT tenant_id, id, id AS reference, operator_phone FROM payments
  UNION ALL
  SELECT tenant_id, id, reference, operator_phone FROM disbursements`;

function statementsOf(traced: MentionTable) {
  const { table, key, columns, json = [], kept = [], payment, madeAt = 'created_at' } = traced;
  const tuple = `(${key.map((column) => `t.${column}`).join(', ')})`;
  const types = key.map((column) => keyTypes[column] ?? 'uuid');
  const bound = (first: number) =>
    `(${types.map((type, index) => `$${first + index}::${type}`).join(', ')})`;
  const end = key.length + 1;
  const pattern = `$${2 * key.length + 1}`;
  const shown = [...columns, ...json, ...kept];
  const naming = (names: readonly string[]) =>
    `(${names.map((column) => `t.${column}::text ~ ${pattern}`).join(' OR ')})`;
  // Finding formatted phones is slow, so only rows with the digits are examined.
  const anyDigits = `$${2 * key.length + (payment ? 4 : 3)}`;
  const changing = (names: readonly string[]) =>
    `(${names.map((column) => `CASE WHEN t.${column}::text ~ ${anyDigits} THEN t.${column}::text ~ ${pattern} END`).join(' OR ')})`;
  const replacement = traced.bareDigitsArePhones ? erasedDigits : `\\1${erasedDigits}`;
  const replaced = (column: string) =>
    `regexp_replace(t.${column}::text, ${pattern}, '${replacement}', 'g')`;
  const changes = [
    ...columns.map((column) => `${column} = ${replaced(column)}`),
    ...json.map((column) => `${column} = ${replaced(column)}::jsonb`),
  ];
  const waits = payment
    ? `AND NOT EXISTS (
  SELECT FROM erasing_payments w JOIN (${owners}) AS own
    ON own.tenant_id = w.tenant_id AND w.payment_id IN (own.id, own.reference)
  WHERE w.tenant_id = t.tenant_id AND own.${payment === 'reference' ? 'reference' : 'id'} = t.${payment}
    AND own.operator_phone = $${2 * key.length + 3})`
    : '';
  const old = `${tuple} > ${bound(1)} AND ${tuple} <= ${bound(end)}
  AND t.${madeAt} <= $${2 * key.length + 2}`;
  return {
    page: `
SELECT ${key.join(', ')} FROM (
  SELECT ${key.join(', ')} FROM ${table} t WHERE ${tuple} > ${bound(1)}
  ORDER BY ${key.join(', ')} LIMIT ${pageSize}
) AS page ORDER BY ${key.map((column) => `${column} DESC`).join(', ')} LIMIT 1`,
    erase: `UPDATE ${table} t SET ${changes.join(', ')} WHERE ${old} AND ${changing([...columns, ...json])} ${waits}
RETURNING 1`,
    weigh: `
SELECT ${key.map((column) => `t.${column}`).join(', ')},
  ${shown.map((column) => `coalesce(octet_length(t.${column}::text), 0)`).join(' + ')} AS bytes
FROM ${table} t WHERE ${old} AND ${naming(shown)} ORDER BY ${key.join(', ')}`,
    show: `
SELECT ${[...key, ...shown].map((column) => `t.${column}`).join(', ')} FROM ${table} t
WHERE ${old} AND ${naming(shown)} ORDER BY ${key.join(', ')}`,
    named: `
SELECT t.tenant_id AS "tenantId", t.id, t.idempotency_key AS key FROM ${table} t
WHERE ${old} AND t.idempotency_key ~ ${pattern} ${waits}`,
    seal: `UPDATE ${table} SET idempotency_key = $3 WHERE tenant_id = $1 AND id = $2`,
    first: types.map((type) => firstOf[type]),
    // Part of the statements that change rows, if there is a payment to wait for.
    waitsFor: (phone: string) => (payment ? [phone] : []),
  };
}

/** The pages of a table as bounds: after the first, up to and including the last. */
async function* pagesOf(database: Queryable, traced: MentionTable): AsyncGenerator<unknown[]> {
  const { page, first } = statementsOf(traced);
  let after: unknown[] = first;
  for (;;) {
    const [last] = await database.query<Record<string, unknown>>({ text: page }, after);
    if (!last) return;
    const end = traced.key.map((column) => last[column]);
    yield [...after, ...end];
    after = end;
  }
}

/** A phone, in data up to an instant. */
interface Wanted {
  phone: string;
  untilMs: number;
}

/**
 * Removes a phone from every text that mentions it, page by page. The person's own data was erased before. These
 * texts belong to others who still use them, so in merchants' texts only numbers formatted as phones are removed.
 * @returns how many rows of each table mentioned it
 */
export async function eraseMentions(
  database: Queryable,
  { phone, untilMs }: Wanted,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const traced of mentionTables) {
    const { erase, waitsFor } = statementsOf(traced);
    const pattern = traced.bareDigitsArePhones ? phoneInText(phone) : phoneWrittenInText(phone);
    for await (const bounds of pagesOf(database, traced)) {
      const until = timestamp(untilMs);
      const values = [...bounds, pattern, until, ...waitsFor(phone), phoneInText(phone)];
      const rows = await database.query({ text: erase }, values);
      if (rows.length > 0) counts[traced.table] = (counts[traced.table] ?? 0) + rows.length;
    }
  }
  return counts;
}

/** Tables whose new rows look for sealed keys only where there are some. */
const notesSealedKeys = ['payments', 'disbursements', 'disbursement_batches'];

/** Seals the idempotency keys that contain a phone; they still identify their objects. */
export async function eraseFromKeys(
  database: Queryable,
  { phone, untilMs }: Wanted,
  { sealKey }: Pick<RequestHashes, 'sealKey'>,
): Promise<void> {
  for (const traced of keyedTables) {
    const { named, seal, waitsFor } = statementsOf(traced);
    for await (const bounds of pagesOf(database, traced)) {
      const values = [...bounds, phoneInText(phone), timestamp(untilMs), ...waitsFor(phone)];
      const rows = await database.query<{ tenantId: string; id: string; key: string }>(
        { text: named },
        values,
      );
      for (const { tenantId, id, key } of rows) {
        if (notesSealedKeys.includes(traced.table)) await noteSealedKeys(database, tenantId);
        await database.query({ text: seal }, [tenantId, id, sealKey(key)]);
      }
    }
  }
}

/** A row that mentions a phone in one of its texts. */
export interface Mention {
  table: string;
  row: Record<string, unknown>;
}

export async function* findMentions(
  database: Queryable,
  { phone, untilMs }: Wanted,
): AsyncGenerator<Mention> {
  for (const traced of mentionTables) {
    const { weigh, show } = statementsOf(traced);
    const wanted = [phoneInText(phone), timestamp(untilMs)];
    for await (const bounds of pagesOf(database, traced)) {
      type PhoneMatch = Record<string, unknown> & { bytes: number };
      const found = await database.query<PhoneMatch>({ text: weigh }, [...bounds, ...wanted]);
      let after = bounds.slice(0, traced.key.length);
      for (const group of groupByBytes(found)) {
        const end = traced.key.map((column) => group.at(-1)![column]);
        const values = [...after, ...end, ...wanted];
        const rows = await database.query<Record<string, unknown>>({ text: show }, values);
        for (const row of rows) yield { table: traced.table, row };
        after = end;
      }
    }
  }
}

/** URLs of webhook endpoints that contain a phone: a person must handle them. */
export async function endpointsNaming(
  database: Queryable,
  phone: string,
): Promise<{ id: string; url: string }[]> {
  return database.query<{ id: string; url: string }>(
    {
      text: `SELECT id, url FROM webhook_endpoints
        WHERE deleted_at IS NULL AND url ~ $1 ORDER BY tenant_id, id`,
    },
    [phoneInText(phone)],
  );
}
