import type { RequestHashes } from '../../platform/idempotency/idempotency.ts';
import type { IdRange, OldRows } from '../../platform/jobs/retention.ts';
import { binaryArray, uuidArray } from '../../platform/postgres/arrays.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { groupByBytes } from '../../platform/postgres/page-bytes.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { eraseDisbursements } from './erase-disbursements.ts';
import { eraseBodies } from './erase-events.ts';
import { type ErasePaymentsDependencies, erasePayments } from './erase-payments.ts';
import type { Hashed } from './erase-store.ts';
import { delayOf } from './erasures.ts';
import { addErasing } from './erasures-store.ts';

type Kind = 'PAYMENTS' | 'DISBURSEMENTS' | 'SESSIONS' | 'EVENTS';

const tableOf: Record<Kind, string> = {
  PAYMENTS: 'payments',
  DISBURSEMENTS: 'disbursements',
  SESSIONS: 'checkout_sessions',
  EVENTS: 'events',
};

interface WalkedRow {
  id: string;
  /** Not old enough; nothing after it is examined before then. */
  stops: boolean;
}

/** Rows that stay, but lose their personal data: the progress is stored, so that no row is examined twice. */
function walkOf(kind: Kind, erase: (transaction: Queryable, range: IdRange) => Promise<number>) {
  const through = `coalesce((
  SELECT w.through FROM personal_data_walks w WHERE w.tenant_id = $TENANT AND w.kind = '${kind}'
), '00000000-0000-0000-0000-000000000000')`;
  const stops = kind === 'SESSIONS' ? "status = 'OPEN'" : 'false';
  const tenantsStatement = {
    name: `personal_data.tenants_${kind.toLowerCase()}`,
    text: `
SELECT t.id
FROM tenants t
CROSS JOIN LATERAL (
  SELECT FROM ${tableOf[kind]} o
  WHERE o.tenant_id = t.id AND o.id < $1 AND o.id > ${through.replace('$TENANT', 't.id')}
  ORDER BY o.id LIMIT 1
) AS old
ORDER BY t.id`,
  };
  const nextStatement = {
    name: `personal_data.next_${kind.toLowerCase()}`,
    text: `
SELECT id, ${stops} AS stops FROM ${tableOf[kind]}
WHERE tenant_id = $1 AND id > $2 AND id < $3 AND id > ${through.replace('$TENANT', '$1')}
ORDER BY id LIMIT $4`,
  };
  const rows: OldRows = {
    async tenants(database, beforeId) {
      const found = await database.query<{ id: string }>(tenantsStatement, [beforeId]);
      return found.map(({ id }) => id);
    },
    async next(database, { tenantId, afterId }, beforeId, limit) {
      const values = [tenantId, afterId, beforeId, limit];
      const page = await database.query<WalkedRow>(nextStatement, values);
      const end = page.findIndex((row) => row.stops);
      const last = (end < 0 ? page : page.slice(0, end)).at(-1);
      return last && { tenantId, afterId, lastId: last.id };
    },
    async remove(transaction, range) {
      const erased = await erase(transaction, range);
      await transaction.query(throughStatement, [range.tenantId, kind, range.lastId]);
      return { [`personal_data_of_${tableOf[kind]}`]: erased };
    },
  };
  return rows;
}

const throughStatement = {
  name: 'personal_data.through',
  text: `
INSERT INTO personal_data_walks AS w (tenant_id, kind, through) SELECT $1::uuid, $2, $3::uuid
ON CONFLICT (tenant_id, kind) DO UPDATE SET through = GREATEST(w.through, excluded.through)`,
};

export interface OldPersonalDataDependencies extends Omit<ErasePaymentsDependencies, 'database'> {
  clock: Clock;
}

/** Personal data in old payments, disbursements, checkout sessions and events. */
export function oldPersonalData(dependencies: OldPersonalDataDependencies): OldRows[] {
  return [
    walkOf('PAYMENTS', (transaction, range) =>
      oldRows(transaction, dependencies, range, 'PAYMENTS'),
    ),
    walkOf('DISBURSEMENTS', async (transaction, range) => {
      await transaction.query(eraseBatchesStatement, [range.tenantId, range.afterId, range.lastId]);
      return oldRows(transaction, dependencies, range, 'DISBURSEMENTS');
    }),
    walkOf('SESSIONS', (transaction, range) => oldSessions(transaction, dependencies, range)),
    walkOf('EVENTS', oldEvents),
  ];
}

// Their ids are in one order with those of disbursements. The version increases as with the rows themselves.
const eraseBatchesStatement = {
  name: 'personal_data.erase_batches',
  text: `
UPDATE disbursement_batches SET version = version + 1, description = NULL
WHERE tenant_id = $1 AND id > $2 AND id <= $3 AND description IS NOT NULL`,
};

const idsOf = (table: string) => ({
  name: `personal_data.${table}`,
  text: `SELECT id FROM ${table} WHERE tenant_id = $1 AND id > $2 AND id <= $3 ORDER BY id`,
});

const withPhones = {
  PAYMENTS: { ids: idsOf('payments'), erase: erasePayments },
  DISBURSEMENTS: { ids: idsOf('disbursements'), erase: eraseDisbursements },
};

/** Rows that must wait are remembered, and rechecked when their time has come. */
async function oldRows(
  transaction: Queryable,
  dependencies: OldPersonalDataDependencies,
  { tenantId, afterId, lastId }: IdRange,
  kind: keyof typeof withPhones,
): Promise<number> {
  const values = [tenantId, afterId, lastId];
  const { ids: statement, erase } = withPhones[kind];
  const rows = await transaction.query<{ id: string }>(statement, values);
  const ids = rows.map(({ id }) => id);
  const nowMs = dependencies.clock.nowMs();
  const { erased, waits } = await erase(transaction, dependencies, {
    tenantId,
    ids,
    nowMs,
  });
  const delays = waits.map(delayOf(nowMs));
  const waiting = delays.map(({ id, dueAtMs }) => ({ tenantId, paymentId: id, dueAtMs }));
  await addErasing(transaction, { payments: waiting, erasureId: null });
  return erased.length;
}

const sessionsStatement = {
  name: 'personal_data.sessions',
  text: `
SELECT id, request_hash AS "requestHash" FROM checkout_sessions
WHERE tenant_id = $1 AND id > $2 AND id <= $3 AND (customer_id IS NOT NULL OR description IS NOT NULL OR metadata IS NOT NULL)
ORDER BY id FOR UPDATE`,
};

const eraseSessionsStatement = {
  name: 'personal_data.erase_sessions',
  text: `
UPDATE checkout_sessions s SET version = s.version + 1, customer_id = NULL, description = NULL, metadata = NULL,
  request_hash = given.request_hash
FROM unnest($2::uuid[], $3::bytea[]) AS given (id, request_hash)
WHERE s.tenant_id = $1 AND s.id = given.id`,
};

async function oldSessions(
  transaction: Queryable,
  { requestHashes }: { requestHashes: RequestHashes },
  { tenantId, afterId, lastId }: IdRange,
): Promise<number> {
  const values = [tenantId, afterId, lastId];
  const rows = await transaction.query<Hashed>(sessionsStatement, values);
  const hashes = rows.map(({ requestHash }) => requestHash && requestHashes.seal(requestHash));
  await transaction.query(eraseSessionsStatement, [
    tenantId,
    uuidArray(rows, ({ id }) => id),
    binaryArray(hashes),
  ]);
  return rows.length;
}

const eventsStatement = {
  name: 'personal_data.events',
  text: `
SELECT id, octet_length(body) AS bytes FROM events
WHERE tenant_id = $1 AND id > $2 AND id <= $3 ORDER BY id`,
};

async function oldEvents(
  transaction: Queryable,
  { tenantId, afterId, lastId }: IdRange,
): Promise<number> {
  const values = [tenantId, afterId, lastId];
  const rows = await transaction.query<{ id: string; bytes: number }>(eventsStatement, values);
  let erased = 0;
  for (const group of groupByBytes(rows)) {
    const ids = group.map(({ id }) => id);
    erased += await eraseBodies(transaction, tenantId, ids);
  }
  return erased;
}
