import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId, parseId, randomIds } from '../../src/platform/values/ids.ts';
import { adminApi } from '../support/admin.ts';
import { memberIn, staffAt } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { reach } from '../support/gateway.ts';
import {
  addReviews,
  type Item,
  overLists,
  overPages,
  payment,
  staffCells,
  turns,
  type World,
} from '../support/staff-cells.ts';

/**
 * Merchants in the cells in turn, the newest last, some at the same instant. @returns their names,
 * newest first
 */
async function addMerchants({ databases }: World, count: number): Promise<string[]> {
  const ids = randomIds();
  const startMs = Date.now();
  const names: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const cell = turns[index % turns.length]!;
    const [atMs, name] = [startMs + Math.floor(index / 2), `Loja ${index} ${cell}`];
    const text = 'INSERT INTO merchants (id, name, created_at) VALUES ($1, $2, $3)';
    await databases[cell]!.query({ text }, [ids.next(atMs), name, new Date(atMs).toISOString()]);
    names.unshift(name);
  }
  return names;
}

test('lists merchants of all cells in order over pages, each with a link to its cell', async (context) => {
  const world = await staffCells(context);
  const names = await addMerchants(world, 61);
  const link =
    /href="\/console\/staff(\/cells\/\w+)?\/merchants\/me_\w+"><b>(?:<bdi>)?Loja (\d+) (\w+)</g;
  const rows = await overPages(world, '/console/staff/merchants', link);
  const folderOf = (cell: string) => (cell === 'home' ? '' : `/cells/${cell}`);
  assert.deepEqual(
    rows,
    names.map((name) => `${folderOf(name.split(' ')[2]!)} ${name.slice(5)}`),
  );
  const api = await adminApi({ database: world.databases.home!, url: world.url });
  const listed = await overLists(api, '/admin/v1/merchants', 7);
  const added = listed.filter(({ name }) => /Loja \d/.test(String(name)));
  assert.deepEqual(
    added.map(({ name }) => name),
    names,
  );
  for (const { name, cell } of added) assert.equal(cell, String(name).split(' ')[2]);
});

test('lists, counts and decides the open cases of all cells from the home', async (context) => {
  const world = await staffCells(context);
  const { admin, databases, url } = world;
  const added = await addReviews(world, 31);
  const link = /href="\/console\/staff(?:\/cells\/(\w+))?\/reviews\/(ri_\w+)"/g;
  const rows = await overPages(world, '/console/staff/reviews', link);
  assert.deepEqual(
    rows.map((row) => (row.startsWith(' ') ? `home${row}` : row)),
    added,
  );
  const home = await admin.get('/console/staff');
  assert.match(home.text, /href="\/console\/staff\/reviews">31 to decide</);
  const api = await adminApi({ database: databases.home!, url });
  const listed = await overLists(api, '/admin/v1/reviews', 4);
  assert.deepEqual(
    listed.map(({ cell, id }) => `${cell} ${id}`),
    added,
  );
  // A case of another cell: shown and closed by its id alone, and from its page.
  const [byKey, byPage] = listed.filter(({ cell }) => cell === 'south');
  assert.equal((await api('GET', `/admin/v1/reviews/${byKey!.id}`)).status, 200);
  const closed = await api('POST', `/admin/v1/reviews/${byKey!.id}/close`, {
    reason: 'Looked at',
  });
  assert.equal(closed.status, 200, JSON.stringify(closed.body));
  const done = await admin.send(`/console/staff/cells/south/reviews/${byPage!.id}`, {
    action: 'close',
    item: byPage!.id,
    [`reason_${byPage!.id}`]: 'Looked at',
  });
  assert.equal(done.status, 303, done.text);
  const left = await overLists(api, '/admin/v1/reviews', 100);
  assert.equal(left.length, added.length - 2);
});

test("finds an operator's transaction in any cell", async (context) => {
  const { admin, zimbos, databases, url } = await staffCells(context);
  const { id } = await zimbos.north!.payments.create(payment);
  const { operatorTxId } = await reach(zimbos.north!.payments, id, 'DEBITED');
  const page = await admin.get(`/console/staff/payments?q=${operatorTxId}`);
  assert.match(page.text, new RegExp(`href="/console/staff/cells/north/payments/${id}"`));
  const api = await adminApi({ database: databases.home!, url });
  const { body } = await api('GET', `/admin/v1/payments?operator_transaction=${operatorTxId}`);
  const { data } = body as { data: Item[] };
  assert.deepEqual(
    data.map((each) => [each.id, each.cell]),
    [[id, 'north']],
  );
  assert.equal((await api('GET', `/admin/v1/payments/${id}`)).status, 200);
});

/** Requests the closing of open cases in a cell. @returns the ids of the requests, oldest first */
async function addApprovals({ databases }: World, asker: string, count: number): Promise<string[]> {
  const ids = randomIds();
  const startMs = Date.now();
  const added: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const cell = turns[index % turns.length]!;
    const [atMs, status] = [startMs + Math.floor(index / 2), index < 3 ? 'PENDING' : 'CANCELLED'];
    const id = ids.next(atMs);
    const text = `
INSERT INTO approvals
  (tenant_id, id, kind, status, subject_id, subject_state, request, asked_by, asked_at, expires_at,
   ended_at)
SELECT id, $1, 'REVIEW_CLOSE', $2, gen_random_uuid(), '', '{"about":"ri_x","reason":"no"}', $3,
  $4::timestamptz, $4::timestamptz + interval '72 hours', CASE $2 WHEN 'CANCELLED' THEN now() END
FROM tenants WHERE mode = 'live'`;
    await databases[cell]!.query({ text }, [id, status, asker, new Date(atMs).toISOString()]);
    added.push(`${cell} ${formatId('ap', id)}`);
  }
  return added;
}

test('lists approval requests of all cells, and decides one of another cell from the list', async (context) => {
  const world = await staffCells(context);
  const { admin, databases, url, origin } = world;
  const asker = await staffAt(origin, databases.home!, 'ADMIN');
  const added = await addApprovals(world, asker.personId, 61);
  const api = await adminApi({ database: databases.home!, url });
  const listed = await overLists(api, '/admin/v1/approvals', 6);
  assert.deepEqual(
    listed.map(({ cell, id }) => `${cell} ${id}`),
    added.toReversed(),
  );
  // The page shows the decided requests in parts, each once.
  const over = await overPages(
    world,
    '/console/staff/approvals',
    /<td[^>]*>(?:<\w+[^>]*>)*(Withdrawn)/g,
  );
  assert.equal(over.length, 58);
  const waiting = await eventually('the cells have copies of people', async () => {
    const { text } = await admin.get('/console/staff/approvals');
    return /action="\/console\/staff\/cells\/north\/approvals"/.test(text) && text;
  });
  assert.match(waiting, new RegExp(added[1]!.split(' ')[1]!));
  const sent = await admin.post('/console/staff/cells/north/approvals', {
    action: 'reject-review',
    request: added[1]!.split(' ')[1]!,
  });
  assert.equal(sent.status, 303, sent.text);
  const { body } = await api('GET', `/admin/v1/approvals/${added[1]!.split(' ')[1]}`);
  assert.equal(body.status, 'REJECTED');
});

test('adds up the accounts of all cells', async (context) => {
  const { admin, zimbos } = await staffCells(context);
  for (const zimbo of Object.values(zimbos)) {
    const { id } = await zimbo.payments.create(payment);
    await reach(zimbo.payments, id, 'DEBITED');
  }
  const { text } = await admin.get('/console/staff/ledger?mode=test');
  const operator = /<td[^>]*>Operator [^<]*<\/td>\s*<td[^>]*>([\s\S]*?)<\/td>/.exec(text)?.[1];
  assert.match(operator ?? text, /300[.,]00/);
  for (const cell of ['north', 'south'])
    assert.match(text, new RegExp(`href="/console/staff/cells/${cell}/ledger/me_`));
});

test("lists the audit records of all cells, and a merchant's with those in the home", async (context) => {
  const { admin, databases, merchants, origin, url } = await staffCells(context);
  const ids = randomIds();
  const write = async (cell: string, action: string, subject: string, detail: object) => {
    const text = `
INSERT INTO audit_records (id, at, actor, action, subject, detail) VALUES ($1, now(), 'cli:test', $2, $3, $4)`;
    const id = ids.next(Date.now());
    await databases[cell]!.query({ text }, [id, action, subject, JSON.stringify(detail)]);
  };
  await write('north', 'merchant.created', merchants.north!, {});
  await write('home', 'person.invited', 'pe_x', { merchant: merchants.north });
  await write('home', 'person.invited', 'pe_y', { merchant: merchants.south });
  await write('south', 'merchant.created', merchants.south!, {});
  const all = await admin.get('/console/staff/audit');
  const subjects = [...all.text.matchAll(/subject=((?:pe|me)_\w+)"/g)].map(
    ([, subject]) => subject!,
  );
  assert.deepEqual(subjects.slice(0, 4), [merchants.south, 'pe_y', 'pe_x', merchants.north]);
  const api = await adminApi({ database: databases.home!, url });
  const records = await overLists(api, '/admin/v1/audit-records?action=*e*', 2);
  const cells = records.filter(({ actor }) => actor === 'cli:test').map(({ cell }) => cell);
  assert.ok(cells.includes('north') && cells.includes('south') && cells.includes('home'));
  // The merchant sees only its own records.
  const merchantId = parseId('me', merchants.north!)!;
  const owner = await memberIn(origin, databases.home!, merchantId);
  const page = await eventually('the page of a merchant', async () => {
    const answer = await owner.get('audit');
    return answer.status === 200 && answer.text;
  });
  assert.match(page, /subject=pe_x"/);
  assert.match(page, new RegExp(`subject=${merchants.north}"`));
  assert.doesNotMatch(page, /pe_y/);
});
