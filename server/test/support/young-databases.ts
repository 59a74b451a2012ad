import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import { sessionConfig } from '../../src/platform/postgres/database.ts';
import { cleanUp } from './cleanup.ts';
import type { Collected } from './collect-statements.ts';
import { listStatements } from './list-statements.ts';
import { measureAll, planAll, prepareAll } from './statement-reads.ts';
import { columnsOf, fill, keepYoung } from './young-database.ts';

/** How many rows a statement may read for ten requested rows, regardless of the table's size. */
const most = 300;

let collected: Promise<Collected> | undefined;

/** All statements, from a process that loads every module. */
export const collectStatements = (): Promise<Collected> => (collected ??= collect());

async function collect(): Promise<Collected> {
  const program = join(import.meta.dirname, 'collect-statements.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout) as Collected;
}

/**
 * Runs every statement on tables without statistics: planned on empty tables, as on a gateway's
 * first day, and on full ones. @param reasons by statement name, why it may read more
 */
export async function readLittle(
  context: TestContext,
  url: string,
  rows: number,
  reasons: Record<string, string>,
): Promise<void> {
  const { statements: named } = await collectStatements();
  const statements = { ...named, ...(await listStatements()) };
  const open = async () => {
    const client = new pg.Client({ ...sessionConfig(url), statement_timeout: 0, query_timeout: 0 });
    await client.connect();
    cleanUp(context, () => client.end());
    return client;
  };
  const early = await open();
  const columns = await columnsOf(early);
  await keepYoung(early);
  const prepared = await prepareAll(early, statements);
  await planAll(early, prepared);
  await fill(await open(), columns, rows);
  const late = await open();
  const found = [
    ...(await measureAll(early, prepared, rows)),
    ...(await measureAll(late, await prepareAll(late, statements), rows)),
  ];
  const failed = found.filter(({ name, read }) => read === undefined && !(name in reasons));
  assert.deepEqual(failed, [], 'all of them run');
  const wide = found.filter(({ name, read }) => read! > most && !(name in reasons));
  assert.deepEqual(wide, [], `they read no more than ${most} rows of ${rows}`);
  const names = new Set(Object.keys(statements));
  assert.deepEqual(
    Object.keys(reasons).filter((name) => !names.has(name)),
    [],
  );
}
