/** While a merchant moves, rows of it are in two cells. Lists of all cells have it where it is served. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { listBalances } from '../../src/money/ledger/balances.ts';
import { listOpenCases } from '../../src/money/review/open-cases.ts';
import { unfinishedSettlements } from '../../src/money/settlements/store.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { movingTables } from '../../src/tenants/cells/tables.ts';
import { listKeys, listMerchants } from '../../src/tenants/merchants/store.ts';
import { adminApi } from '../support/admin.ts';
import type { Api } from '../support/gateway.ts';
import { staffCells, type World } from '../support/staff-cells.ts';
import { merchantWithEverything, rowsOf } from '../support/two-cells.ts';

const transaction = 'tx-of-the-one-that-moves';

/** What would be listed of a merchant: staff are asked, told, and have to decide. */
const visibleText = `
UPDATE approvals SET kind = 'REVIEW_CLOSE', status = 'PENDING', due_at = NULL, ended_at = NULL, subject_state = '',
  request = '{"about":"ri_x","reason":"no"}', asked_at = now(), expires_at = now() + interval '1 day'
  WHERE tenant_id = ANY ($1);
UPDATE review_items SET kind = 'CONTRADICTION', closed_at = NULL, detail = '{}', operator = 'CVMOVEL' WHERE tenant_id = ANY ($1);
UPDATE payments SET operator = 'CVMOVEL', currency = 'CVE' WHERE tenant_id = ANY ($1);
UPDATE reversals SET operator = 'CVMOVEL', currency = 'CVE', status = 'HELD' WHERE tenant_id = ANY ($1);
UPDATE settlements SET currency = 'CVE' WHERE tenant_id = ANY ($1);
UPDATE balances SET currency = 'CVE', account = 'payable' WHERE tenant_id = ANY ($1);
UPDATE notices SET kind = 'SETTLEMENT_FAILED', detail = '{}', staff_told_at = now() WHERE tenant_id = ANY ($1);
UPDATE operator_transactions SET operator_tx_id = '${transaction}', payment_id = (SELECT p.id FROM payments p WHERE p.tenant_id = operator_transactions.tenant_id LIMIT 1) WHERE tenant_id = ANY ($1);
UPDATE notice_recipients SET person_id = $2, kind = 'SETTLEMENT_FAILED', place = 'STAFF', read_at = NULL,
  notice_id = (SELECT n.id FROM notices n WHERE n.tenant_id = notice_recipients.tenant_id LIMIT 1) WHERE tenant_id = ANY ($1)`;

/** The mover puts off what is due in a cell that does not serve the merchant: it is no work that is late. */
const putOff = [
  'payments',
  'refunds',
  'reversals',
  'checkout_sessions',
  'deliveries',
  'settlements',
]
  .concat(['operator_callbacks'])
  .map(
    (table) =>
      `UPDATE ${table} SET due_at = due_at + interval '1000 years' WHERE tenant_id = ANY ($1)`,
  );

/** Every list of `/admin/v1` that is put together from several cells, as its description says. */
async function listsOf(world: World): Promise<string[]> {
  const text = await (await fetch(`${world.url}/admin/openapi.json`)).text();
  const { paths, components } = JSON.parse(text) as {
    paths: Record<string, { get?: object }>;
    components: { schemas: Record<string, object> };
  };
  const ofCells = Object.entries(components.schemas)
    .filter(([, schema]) => JSON.stringify(schema).includes('"cellsAway"'))
    .map(([name]) => `"#/components/schemas/${name}"`);
  const isOfCells = (get: object | undefined) => {
    const said = JSON.stringify(get ?? {});
    return said.includes('"cellsAway"') || ofCells.some((reference) => said.includes(reference));
  };
  const lists = Object.entries(paths)
    // Records stay where they were written, so no cell has another's.
    .filter(([path, { get }]) => !/[{]|audit-records/.test(path) && isOfCells(get))
    .map(([path]) =>
      path.endsWith('/payments') ? `${path}?operator_transaction=${transaction}` : path,
    );
  assert.ok(lists.length >= 8, `only ${lists.join()}`);
  return lists;
}

const pages = [
  '',
  '/merchants',
  '/reviews',
  '/suspense',
  '/reversals',
  '/approvals',
  '/settlements',
].concat(['/ledger?mode=live', '/notices', `/payments?q=${transaction}`]);

/** What staff are shown of all cells, list by list. */
async function shown({ admin, databases }: World, api: Api, lists: readonly string[]) {
  const found: Record<string, string> = {};
  for (const path of lists) {
    const { status, text } = await api('GET', path);
    assert.equal(status, 200, `${path}: ${text}`);
    found[path] = text;
  }
  for (const page of pages) {
    const { status, text } = await admin.get(`/console/staff${page}`);
    assert.equal(status, 200, `${page}: ${text}`);
    found[`the page ${page}`] = text.replaceAll(/value="[^"]*"/g, '');
  }
  for (const [name, list] of Object.entries(listsOfCommands)) {
    found[`zimbo ${name}`] = String((await list(databases.north!)).length);
  }
  return found;
}

const listsOfCommands: Record<string, (database: Database) => Promise<unknown[]>> = {
  'merchants list': listMerchants,
  'keys list': listKeys,
  'ledger balances': listBalances,
  'settlements list': unfinishedSettlements,
  review: (database) => listOpenCases(database, Date.now()),
};

test('no list of several cells has a merchant that has not yet arrived there, or has left', async (context) => {
  // No work is done meanwhile: what was planted would be noticed.
  const world = await staffCells(context, { environment: { ZIMBO_ROLE: 'api' } });
  const north = world.databases.north!;
  const api = await adminApi({ database: world.databases.home!, url: world.url });
  const lists = await listsOf(world);
  const without = await shown(world, api, lists);
  const owner = await merchantWithEverything(north);
  for (const text of [...visibleText.split(';'), ...putOff]) {
    const values = [owner.tenantIds, world.admin.personId].slice(0, text.includes('$2') ? 2 : 1);
    await north.query({ text }, values);
  }
  const rows = await rowsOf(north, owner);
  assert.notEqual(rows.notice_recipients!.length, 0);
  const there = await shown(world, api, lists);
  for (const [list, text] of Object.entries(there)) {
    // The counters of the frame are on every page.
    if (list.startsWith('/admin'))
      assert.notEqual(text, without[list], `${list} shows it otherwise`);
  }
  const mark = (state: string) =>
    north.query(
      {
        text: `INSERT INTO moving_merchants (merchant_id, move_id, state) VALUES ($1, $2, $3)
          ON CONFLICT (merchant_id) DO UPDATE SET state = excluded.state`,
      },
      [owner.merchantId, randomUUID(), state],
    );
  await mark('GONE');
  assert.deepEqual(await shown(world, api, lists), without);
  await mark('ARRIVING');
  // These come with the last transaction: until then the cell does not know whose the others are.
  for (const { name, owner: of, copied } of movingTables.toReversed()) {
    if (copied !== 'LAST') continue;
    const ids = of.of === 'MERCHANT' ? [owner.merchantId] : owner.tenantIds;
    await north.query({ text: `DELETE FROM ${name} WHERE ${of.column} = ANY ($1)` }, [ids]);
  }
  assert.deepEqual(await shown(world, api, lists), without);
});
