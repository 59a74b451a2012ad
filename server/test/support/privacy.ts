import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { erasuresFile } from '../../src/operations/privacy/erasures-file.ts';
import { makeDigestPhone } from '../../src/operations/privacy/phone-digest.ts';
import { createRequestHashes } from '../../src/platform/idempotency/idempotency.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import type { SecretKeys } from '../../src/platform/secrets/secret-keys.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { cleanUp } from './cleanup.ts';
import { silentLog } from './database.ts';

/** The secret key of gateways in tests. */
export const testKeys: SecretKeys = { current: Buffer.alloc(32, 7), previous: undefined };

/** The dependencies of erasures and exports, with the test's own folder for the erasure file. */
export function privacyDependencies(
  context: Pick<TestContext, 'after'>,
  database: Database,
  keys = testKeys,
) {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-privacy-'));
  cleanUp(context, () => rmSync(folder, { recursive: true, force: true }));
  return {
    database,
    clock: systemClock,
    ids: randomIds(),
    log: silentLog,
    actor: 'cli:test',
    digestPhone: makeDigestPhone(keys),
    requestHashes: createRequestHashes([keys.current, ...(keys.previous ? [keys.previous] : [])]),
    legalRetentionMs: 0,
    file: erasuresFile(folder),
  };
}

interface Column {
  table: string;
  column: string;
  type: string;
}

/** Every column of the database that can hold text, or bytes that contain text. */
export function textColumns(database: Database): Promise<Column[]> {
  return database.query<Column>({
    text: `
SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
  AND a.atttypid <> ALL ('{uuid,int4,int8,int2,bool,timestamptz,numeric,float8,date}'::regtype[])
ORDER BY 1, 2`,
  });
}

/** The columns that contain a text, as `table.column`. */
export async function columnsWith(database: Database, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const { table, column, type } of await textColumns(database)) {
    const value = type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`;
    const sql = `SELECT FROM ${table} WHERE strpos(${value}, $1) > 0 LIMIT 1`;
    if ((await database.query({ text: sql }, [text])).length > 0) found.push(`${table}.${column}`);
  }
  return found;
}
