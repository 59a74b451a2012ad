import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { openLog } from './log.ts';

test('keeps PostgreSQL’s details of row values out of the log', async (context) => {
  const { database } = await testDatabase(context);
  const lines: string[] = [];
  const log = openLog('info', { write: (line: string) => lines.push(line) });
  const text = `INSERT INTO merchants (id, name, created_at) VALUES (gen_random_uuid(), NULL, '2026-01-02')`;
  const error = await database.query({ text }).catch((thrown: unknown) => thrown as Error);
  assert.match(JSON.stringify(error), /Failing row contains .*2026-01-02/);
  log.error({ err: error }, 'it failed');
  log.error({ err: new AggregateError([error], 'all failed') }, 'so did the others');
  log.error({ err: new Error('not written', { cause: error }) }, 'nor was this');
  const written = lines.join('');
  assert.doesNotMatch(written, /2026-01-02|Failing row/);
  const [shown] = lines.map((line) => JSON.parse(line).err);
  assert.deepEqual([shown.code, shown.table, shown.column], ['23502', 'merchants', 'name']);
  assert.match(shown.stack, /violates not-null constraint/);
});
