import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { adminApi } from '../support/admin.ts';
import { overLists, overPages, staffCells, turns, type World } from '../support/staff-cells.ts';

const liveTenant = "(SELECT id FROM tenants WHERE mode = 'live')";

/**
 * Wrong debits that wait for a person; their ids have no order, and each two share an instant.
 * @returns the oldest first
 */
async function addReversals({ databases }: World, count: number): Promise<string[]> {
  const startMs = Date.now() - 3_600_000;
  const added = Array.from({ length: count }, (_, index) => ({
    cell: turns[index % turns.length]!,
    id: randomUUID(),
    atMs: startMs + Math.floor(index / 2),
  }));
  for (const { cell, id, atMs } of added) {
    const text = `
INSERT INTO reversals (tenant_id, id, payment_id, reason, status, amount_minor, currency, operator,
  operator_tx_id, failure_code, ask_count, created_at, updated_at)
VALUES (${liveTenant}, $1, $1, 'LATE_DEBIT', 'FAILED', 10000, 'CVE', 'MOCK', gen_random_uuid(), 'OPERATOR_REJECTED', 0, $2, $2)`;
    await databases[cell]!.query({ text }, [id, new Date(atMs).toISOString()]);
  }
  const inOrder = added.toSorted((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
  return inOrder.map(({ cell, id }) => `${cell} ${id}`);
}

test('lists suspense and reversals of all cells in order over pages, each with a link to its cell', async (context) => {
  const world = await staffCells(context);
  const added = await addReversals(world, 113);
  const link = /href="\/console\/staff(?:\/cells\/(\w+))?\/reviews\/([0-9a-f-]{36})"/g;
  const named = (rows: string[]) => rows.map((row) => (row.startsWith(' ') ? `home${row}` : row));
  assert.deepEqual(named(await overPages(world, '/console/staff/suspense', link)), added);
  const newestFirst = added.toReversed();
  assert.deepEqual(named(await overPages(world, '/console/staff/reversals', link)), newestFirst);
  const api = await adminApi({ database: world.databases.home!, url: world.url });
  const listed = async (path: string) =>
    (await overLists(api, path, 10)).map(({ cell, id }) => `${cell} ${id}`);
  assert.deepEqual(await listed('/admin/v1/suspense'), added);
  assert.deepEqual(await listed('/admin/v1/reversals'), newestFirst);
  const [cell, id] = added.find((one) => one.startsWith('north'))!.split(' ');
  const led = await world.admin.get(`/console/staff/reviews/${id}`);
  assert.equal(led.location, `/console/staff/cells/${cell}/reviews/${id}`);
});

test('lists payouts of all cells over pages, and finds them by a merchant of any cell', async (context) => {
  const world = await staffCells(context);
  const { admin, databases, merchants, url } = world;
  const ids = randomIds();
  const added: string[] = [];
  for (let index = 0; index < 61; index += 1) {
    const cell = turns[index % turns.length]!;
    const id = ids.next(Date.now());
    const text = `
INSERT INTO settlements (tenant_id, id, merchant_id, status, version, currency, gross_minor, fee_minor,
  refund_minor, net_minor, item_count, period_start, period_end, created_at)
SELECT id, $1, merchant_id, 'COMPLETED', 3, 'CVE', 1, 0, 0, 1, 1, now(), now(), now() FROM tenants WHERE mode = 'live'`;
    await databases[cell]!.query({ text }, [id]);
    added.unshift(`${cell} ${formatId('se', id)}`);
  }
  const link = /href="\/console\/staff(?:\/cells\/(\w+))?\/settlements\/(se_\w+)"/g;
  const rows = await overPages(world, '/console/staff/settlements', link);
  assert.deepEqual(
    rows.map((row) => (row.startsWith(' ') ? `home${row}` : row)),
    added,
  );
  const ofSouth = added.filter((one) => one.startsWith('south'));
  const found = await overPages(world, '/console/staff/settlements?merchant=loja+south', link);
  assert.deepEqual(found, ofSouth);
  const api = await adminApi({ database: databases.home!, url });
  const listed = await overLists(api, '/admin/v1/settlements', 9);
  assert.deepEqual(
    listed.map(({ cell, id }) => `${cell} ${id}`),
    added,
  );
  const narrowed = await overLists(api, `/admin/v1/settlements?merchant_id=${merchants.south}`, 9);
  assert.deepEqual(
    narrowed.map(({ id }) => `south ${id}`),
    ofSouth,
  );
  const page = await admin.get(`/console/staff/settlements/${ofSouth[0]!.split(' ')[1]}`);
  assert.match(page.location!, /\/cells\/south\//);
});
