import type { Database } from '../../../server/src/platform/postgres/database.ts';
import { formatId, parseId, randomIds } from '../../../server/src/platform/values/ids.ts';
import {
  allPermissions,
  hashApiKey,
  newApiKey,
} from '../../../server/src/tenants/merchants/api-key.ts';

const tenantsStatement = `
WITH given AS (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[]) AS given (merchant_id, tenant_id, hash, last4)
),
merchant AS (
  INSERT INTO merchants SELECT merchant_id, 'Bench', now() FROM given
),
tenant AS (
  INSERT INTO tenants SELECT tenant_id, merchant_id, 'test', now() FROM given
)
INSERT INTO api_keys (tenant_id, id, key_hash, last4, permissions, created_at)
SELECT tenant_id, tenant_id, hash, last4, $5::text[], now() FROM given`;

/** Creates merchants, each with a test tenant; returns their keys. */
export async function makeTenants(database: Database, count: number): Promise<string[]> {
  const ids = randomIds();
  const nowMs = Date.now();
  const keys = Array.from({ length: count }, () => newApiKey('test'));
  await database.query({ text: tenantsStatement }, [
    keys.map(() => ids.next(nowMs)),
    keys.map(() => ids.next(nowMs)),
    keys.map(hashApiKey),
    keys.map((key) => key.slice(-4)),
    allPermissions,
  ]);
  return keys;
}

/** Some payments from all over the table, by API id. */
export async function paymentIds(
  database: Database,
  count: number,
  condition = 'true',
): Promise<string[]> {
  const text = `SELECT id FROM payments WHERE ${condition} ORDER BY md5(id::text) LIMIT $1`;
  const rows = await database.query<{ id: string }>({ text }, [count]);
  return rows.map(({ id }) => formatId('pi', id));
}

/**
 * The milliseconds from each event's commit to its arrival: PostgreSQL records commit times (before
 * the disk write), and both use this machine's clock.
 */
export async function commitToArrivalMs(
  database: Database,
  arrivals: readonly [eventId: string, atMs: number][],
): Promise<Float64Array> {
  const text = `
    SELECT id, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS "atMs"
    FROM events WHERE id = ANY ($1::uuid[])`;
  const uuids = arrivals.map(([id]) => parseId('evt', id)!);
  const rows = await database.query<{ id: string; atMs: number }>({ text }, [uuids]);
  const committedMs = new Map(rows.map(({ id, atMs }) => [id, atMs]));
  return Float64Array.from(
    arrivals.map(([id, atMs]) => atMs - committedMs.get(parseId('evt', id)!)!),
  ).sort();
}
