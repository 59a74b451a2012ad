import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { uuidArray } from '../../platform/postgres/arrays.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { maskPhone } from '../../platform/values/phone.ts';
import { eventsOfObjects } from './list-events-by-object.ts';
import type { DigestPhone } from './phone-digest.ts';
import { findMentions } from './phone-mentions.ts';
import { unwrittenRows } from './unwritten-rows.ts';

const paymentsStatement = {
  name: 'privacy_export.payments',
  text: `
SELECT p.tenant_id AS "tenantId", p.id FROM payments p WHERE p.operator_phone = $1
UNION
SELECT d.tenant_id, d.id FROM disbursements d WHERE d.operator_phone = $1
UNION
SELECT unwritten.tenant_id, unwritten.id FROM (${unwrittenRows}) AS unwritten WHERE unwritten.operator_phone = $1
ORDER BY 1, 2`,
};

const internal = `ARRAY['tenant_id', 'request_hash', 'link_secret', 'version', 'due_at', 'ask_count', 'asking_until']`;

/** The related rows of payments and disbursements $2 of tenant $1, by table. */
const kinds: Record<string, string> = {
  payment: 'FROM payments x WHERE x.tenant_id = $1 AND x.id = ANY ($2::uuid[])',
  refund: 'FROM refunds x WHERE x.tenant_id = $1 AND x.payment_id = ANY ($2::uuid[])',
  reversal: 'FROM reversals x WHERE x.tenant_id = $1 AND x.payment_id = ANY ($2::uuid[])',
  disbursement: 'FROM disbursements x WHERE x.tenant_id = $1 AND x.id = ANY ($2::uuid[])',
  rowOfBatch: `FROM (${unwrittenRows} AND b.tenant_id = $1) x WHERE x.id = ANY ($2::uuid[])`,
  checkoutSession: `FROM checkout_sessions x WHERE x.tenant_id = $1 AND x.id IN (
  SELECT checkout_session_id FROM payments WHERE tenant_id = $1 AND id = ANY ($2::uuid[]))`,
  simulatorTransaction: `FROM simulator_transactions x
WHERE x.tenant_id = $1 AND x.reference IN (
  SELECT unnest($2::uuid[])
  UNION SELECT reference FROM disbursements WHERE tenant_id = $1 AND id = ANY ($2::uuid[]))`,
  operatorCallback: `FROM operator_callbacks x WHERE x.tenant_id = $1 AND x.reference IN (
  SELECT unnest($2::uuid[])
  UNION SELECT id FROM refunds WHERE tenant_id = $1 AND payment_id = ANY ($2::uuid[])
  UNION SELECT id FROM reversals WHERE tenant_id = $1 AND payment_id = ANY ($2::uuid[])
  UNION SELECT reference FROM disbursements WHERE tenant_id = $1 AND id = ANY ($2::uuid[]))`,
  reviewItem: `FROM review_items x WHERE x.tenant_id = $1 AND x.subject_id IN (
  SELECT unnest($2::uuid[])
  UNION SELECT id FROM refunds WHERE tenant_id = $1 AND payment_id = ANY ($2::uuid[])
  UNION SELECT id FROM reversals WHERE tenant_id = $1 AND payment_id = ANY ($2::uuid[]))`,
};

const ownerStatement = {
  name: 'privacy_export.owner',
  text: `
SELECT m.name AS merchant, t.mode FROM tenants t JOIN merchants m ON m.id = t.merchant_id
WHERE t.id = $1`,
};

const bodiesStatement = {
  name: 'privacy_export.bodies',
  text: 'SELECT body FROM events WHERE tenant_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id',
};

/** How many payments are read at once; a single session may fill a page. */
const chunkSizeOf = (kind: string) => (kind === 'checkoutSession' ? 1 : 100);

/**
 * Exports everything stored about a person, by phone: a line of JSON for each object. Amounts are in minor units. The
 * audit record is written before the first line.
 */
export async function* exportPerson(
  dependencies: Administration & { database: Database; digestPhone: DigestPhone },
  phone: string,
): AsyncGenerator<string> {
  const { database, digestPhone } = dependencies;
  type Row = { tenantId: string; id: string };
  const payments = await database.query<Row>(paymentsStatement, [phone]);
  const [{ digest }] = digestPhone(phone) as [ReturnType<DigestPhone>[0]];
  await writeAuditRecord(database, dependencies, {
    tenantId: null,
    action: 'person.exported',
    subject: maskPhone(phone),
    detail: { phoneDigest: digest.toString('hex'), payments: payments.length },
  });
  for (const [tenantId, rows] of Map.groupBy(payments, (row) => row.tenantId)) {
    const ids = rows.map(({ id }) => id);
    yield* exportTenant(database, tenantId, ids);
  }
  for await (const { table, row } of findMentions(database, {
    phone,
    untilMs: dependencies.clock.nowMs(),
  })) {
    yield JSON.stringify({ kind: 'mention', table, data: row });
  }
}

async function* exportTenant(
  database: Queryable,
  tenantId: string,
  ids: readonly string[],
): AsyncGenerator<string> {
  const [owner] = await database.query<{ merchant: string; mode: string }>(ownerStatement, [
    tenantId,
  ]);
  const line = (kind: string, data: string) =>
    `${JSON.stringify({ kind, ...owner }).slice(0, -1)},"data":${data}}`;
  const objectIds = new Set<string>();
  for (const [kind, from] of Object.entries(kinds)) {
    // As text, since amounts may have more digits than JavaScript numbers.
    const text = `SELECT (to_jsonb(x) - ${internal})::text AS data, to_jsonb(x) ->> 'id' AS id ${from}`;
    const chunkSize = chunkSizeOf(kind);
    for (let start = 0; start < ids.length; start += chunkSize) {
      const chunk = uuidArray(ids.slice(start, start + chunkSize));
      const rows = await database.query<{ data: string; id: string }>({ text }, [tenantId, chunk]);
      for (const { data, id } of rows) {
        // Several payments may share a session.
        if (id && objectIds.has(id)) continue;
        if (id) objectIds.add(id);
        yield line(kind, data);
      }
    }
  }
  for await (const body of eventsOf(database, tenantId, [...objectIds].sort())) {
    yield line('event', body);
  }
}

async function* eventsOf(
  database: Queryable,
  tenantId: string,
  objectIds: readonly string[],
): AsyncGenerator<string> {
  for await (const ids of eventsOfObjects(database, tenantId, objectIds)) {
    const values = [tenantId, uuidArray(ids)];
    for (const { body } of await database.query<{ body: string }>(bodiesStatement, values)) {
      yield body;
    }
  }
}
