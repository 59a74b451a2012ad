import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Claim, claims, dueRows, limit, nowMs } from '../support/claims.ts';
import { freshDatabase } from '../support/database.ts';

/** Counts the index entries that are read to record the outcome of a few rows among many with one lease. */
async function entriesRead(context: TestContext, claim: Claim, analyzedRows: number) {
  const { database } = await freshDatabase(context);
  const { table, insert, take, write } = claim;
  await database.query({ text: `ALTER TABLE ${table} SET (autovacuum_enabled = false)` });
  await database.query({ text: insert }, [1, analyzedRows]);
  // Usually nothing is due, so an index of due rows seems cheapest to the planner.
  if (analyzedRows > 10) await take(database, nowMs, nowMs, analyzedRows);
  await database.query({ text: `ANALYZE ${table}` });
  await database.query({ text: insert }, [analyzedRows + 1, analyzedRows + dueRows]);
  const rows = await take(database, nowMs, nowMs + 60_000, analyzedRows + dueRows);
  assert.ok(rows.length >= dueRows);
  return database.transaction(async (transaction) => {
    const text = `
      SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid))::integer AS read
      FROM pg_index WHERE indrelid = '${table}'::regclass`;
    const readNow = async () => (await transaction.query<{ read: number }>({ text }))[0]!.read;
    const before = await readNow();
    await write!(transaction, rows.slice(0, limit) as never[]);
    return (await readNow()) - before;
  });
}

for (const [name, claim] of Object.entries(claims).filter(([, { write }]) => write)) {
  test(`records outcomes by key alone, even with wrong statistics: ${name}`, async (context) => {
    for (const analyzedRows of [0, 1, 10, 3_000]) {
      const read = await entriesRead(context, claim, analyzedRows);
      const about = `${name}, analyzed at ${analyzedRows} rows: ${read} index entries read`;
      // The entry of each row, and the entry of its version before the claim.
      assert.ok(read <= 2 * limit, about);
      context.diagnostic(about);
    }
  });
}
