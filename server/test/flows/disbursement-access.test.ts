/** Who may see, send and cancel disbursements: every kind of key and every role, on every route and page. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { pages } from '../../src/interfaces/console/pages/index.ts';
import { processBatch } from '../../src/money/disbursements/batches/process.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import type { Mode, Permission } from '../../src/tenants/merchants/api-key.ts';
import { suspendMerchant } from '../../src/tenants/merchants/change-terms.ts';
import { createMerchant } from '../../src/tenants/merchants/create-merchant.ts';
import { changeDisbursementTerms } from '../../src/tenants/merchants/disbursement-terms.ts';
import { issueKey, revokeKey } from '../../src/tenants/merchants/keys.ts';
import { roles } from '../../src/tenants/people/permissions.ts';
import { staffRoles } from '../../src/tenants/people/staff-permissions.ts';
import { adminKey, permissionsOf } from '../support/admin.ts';
import { batchDependencies, batchOf } from '../support/batches.ts';
import { consoleOn, type Member, memberAt, testConsole } from '../support/console.ts';
import { fresh } from '../support/console-buttons.ts';
import { fund, heldDisbursement } from '../support/disbursing.ts';
import { type Api, anotherGateway, apiOf, testGateway } from '../support/gateway.ts';

/** Nothing is sent or written in the background; live keys have an operator. */
const environment = {
  ZIMBO_ROLE: 'api',
  RATE_LIMIT: 'off',
  OPERATOR_CVMOVEL_URL: 'http://127.0.0.1:9',
  OPERATOR_CVMOVEL_SECRET: 'secret',
  OPERATOR_CVMOVEL_ACCOUNT: 'organisationid@1234',
  OPERATOR_CVMOVEL_MODE: 'polling',
  OPERATOR_CVMOVEL_DEDUPLICATES: 'true',
};
const author = { clock: systemClock, ids: randomIds(), actor: 'cli:test' };

interface Things {
  disbursement: string;
  batch: string;
  failedBatch: string;
}

/** A disbursement and a batch that can be cancelled, and a batch that can be tried again. */
async function thingsOf(database: Database, tenantId: string): Promise<Things> {
  const clock = { nowMs: () => Date.now() + 3_600_000 };
  const make = (amountMinor: bigint) =>
    batchOf(database, tenantId, {
      key: randomUUID(),
      rows: [{ amountMinor, operator: 'CVMOVEL' }],
      clock,
    });
  const [held, failed] = [await make(1n), await make(90_000_000n)];
  const processing = { ...batchDependencies(database), batchLeaseMs: 10_000, wake() {} };
  await processBatch(processing, { ...failed, mode: 'test' }, () => false);
  return {
    disbursement: await heldDisbursement(database, tenantId),
    batch: formatId('dib', held.id),
    failedBatch: formatId('dib', failed.id),
  };
}

const tenantOf = async (database: Database, merchantId: string, mode: Mode): Promise<string> => {
  const text = 'SELECT id FROM tenants WHERE merchant_id = $1 AND mode = $2';
  return (await database.query<{ id: string }>({ text }, [merchantId, mode]))[0]!.id;
};

/** The table as text, with as many columns as there are acts. */
const tableOf = (heads: readonly string[], rows: readonly (readonly [string, string[]])[]) => {
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(44)}${cells.map((cell, index) => cell.padStart(heads[index]!.length + 2)).join('')}`;
  return ['', line('', heads), ...rows.map(([name, cells]) => line(name, cells)), ''].join('\n');
};

const row = { amount: 1, operator: 'CVMOVEL', operatorPhone: '+2389912345' };
type Act = (things: Things) => [method: string, path: string, body?: unknown];

const acts: Record<string, Act> = {
  create: () => ['POST', '/v1/disbursements', row],
  list: () => ['GET', '/v1/disbursements'],
  get: ({ disbursement }) => ['GET', `/v1/disbursements/${disbursement}`],
  cancel: ({ disbursement }) => ['POST', `/v1/disbursements/${disbursement}/cancel`],
  'batch: create': () => ['POST', '/v1/disbursement_batches', { items: [row] }],
  'list ': () => ['GET', '/v1/disbursement_batches'],
  'get ': ({ batch }) => ['GET', `/v1/disbursement_batches/${batch}`],
  rows: ({ batch }) => ['GET', `/v1/disbursement_batches/${batch}/disbursements`],
  'cancel ': ({ batch }) => ['POST', `/v1/disbursement_batches/${batch}/cancel`],
  retry: ({ failedBatch }) => ['POST', `/v1/disbursement_batches/${failedBatch}/retry`],
};

interface Caller {
  mode: Mode;
  permissions?: readonly Permission[];
  /** Staff do not allow the merchant to disburse with live keys. */
  isNotAllowed?: true;
  is?: 'suspended' | 'revoked' | 'a stranger' | 'an admin key' | 'off';
}

const both = ['disbursements:read', 'disbursements:write'] as const;
const callers: Record<string, Caller> = {
  'test, without a list': { mode: 'test' },
  'test, lists other permissions': { mode: 'test', permissions: ['payments:write'] },
  'test, lists read': { mode: 'test', permissions: ['disbursements:read'] },
  'test, lists write': { mode: 'test', permissions: ['disbursements:write'] },
  'test, the merchant is suspended': { mode: 'test', is: 'suspended' },
  'test, revoked': { mode: 'test', is: 'revoked' },
  'test, the installation is off': { mode: 'test', is: 'off' },
  'test, of another merchant': { mode: 'test', is: 'a stranger' },
  'live, without a list': { mode: 'live' },
  'live, lists read': { mode: 'live', permissions: ['disbursements:read'] },
  'live, lists write': { mode: 'live', permissions: ['disbursements:write'] },
  'live, lists both': { mode: 'live', permissions: both },
  'live, lists both, and is not allowed': { mode: 'live', permissions: both, isNotAllowed: true },
  'live, lists both, and is suspended': { mode: 'live', permissions: both, is: 'suspended' },
  'live, lists both, revoked': { mode: 'live', permissions: both, is: 'revoked' },
  'live, lists both, the installation is off': { mode: 'live', permissions: both, is: 'off' },
  'an admin key': { mode: 'live', is: 'an admin key' },
};

const keysMay = `
                                              create  list  get  cancel  batch: create  list   get   rows  cancel   retry
test, without a list                             200   200  200     200            200    200   200   200      200    200
test, lists other permissions                    403   403  403     403            403    403   403   403      403    403
test, lists read                                 403   200  200     403            403    200   200   200      403    403
test, lists write                                200   403  403     200            200    403   403   403      200    200
test, the merchant is suspended                  403   200  200     200            403    200   200   200      200    403
test, revoked                                    401   401  401     401            401    401   401   401      401    401
test, the installation is off                    403   200  200     200            403    200   200   200      200    403
test, of another merchant                        200   200  404     404            200    200   404   404      404    404
live, without a list                             403   403  403     403            403    403   403   403      403    403
live, lists read                                 403   200  200     403            403    200   200   200      403    403
live, lists write                                200   403  403     200            200    403   403   403      200    200
live, lists both                                 200   200  200     200            200    200   200   200      200    200
live, lists both, and is not allowed             403   200  200     200            403    200   200   200      200    403
live, lists both, and is suspended               403   200  200     200            403    200   200   200      200    403
live, lists both, revoked                        401   401  401     401            401    401   401   401      401    401
live, lists both, the installation is off        403   200  200     200            403    200   200   200      200    403
an admin key                                     401   401  401     401            401    401   401   401      401    401
`;

/** A merchant and its key, and the merchant whose things are called. */
async function keyOf(
  gateway: Awaited<ReturnType<typeof testGateway>>,
  { mode, permissions, isNotAllowed, is }: Caller,
): Promise<{ key: string; tenantId: string }> {
  const { database } = gateway;
  const base = { database, ...author };
  const { id: merchantId } = await createMerchant(base, 'Loja');
  const order = { merchantId, mode, ...(permissions && { permissions }) };
  const issued = await issueKey(base, order);
  const tenantId = await tenantOf(database, merchantId, mode);
  await fund(database, tenantId, 10_000);
  if (!isNotAllowed) await changeDisbursementTerms(base, merchantId, { isAllowed: true });
  if (is === 'suspended') await suspendMerchant(base, merchantId, true);
  if (is === 'revoked') await revokeKey(base, issued.id);
  if (is === 'an admin key') return { key: (await adminKey(gateway)).key, tenantId };
  if (is !== 'a stranger') return { key: issued.key, tenantId };
  const owner = await createMerchant(base, 'Outra');
  return { key: issued.key, tenantId: await tenantOf(database, owner.id, mode) };
}

async function callWith(api: Api, act: Act, things: Things): Promise<string> {
  const [method, path, body] = act(things);
  return String((await api(method, path, body, { 'idempotency-key': randomUUID() })).status);
}

test('each kind of key calls exactly its routes of disbursements', async (context) => {
  const gateway = await testGateway(context, { environment });
  const { database, databaseUrl, url } = gateway;
  const off = { environment: { ...environment, DISBURSEMENTS: 'off' } };
  const elsewhere = await anotherGateway(context, databaseUrl, off);
  const rows: [string, string[]][] = [];
  for (const [name, caller] of Object.entries(callers)) {
    const { key, tenantId } = await keyOf(gateway, caller);
    const api = apiOf(caller.is === 'off' ? elsewhere.url : url, key);
    const shared = await thingsOf(database, tenantId);
    const cells: string[] = [];
    for (const [act, call] of Object.entries(acts)) {
      const things = /cancel|retry/.test(act) ? await thingsOf(database, tenantId) : shared;
      cells.push(await callWith(api, call, things));
    }
    rows.push([name, cells]);
  }
  assert.equal(tableOf(Object.keys(acts), rows), keysMay);
});

const adminActs: Record<string, Act> = {
  get: ({ disbursement }) => ['GET', `/admin/v1/disbursements/${disbursement}`],
  cancel: ({ disbursement }) => ['POST', `/admin/v1/disbursements/${disbursement}/cancel`],
};

const adminMay = `
                                              get  cancel  terms  change terms
a merchant's key                              401     401    401           401
ADMIN                                         200     200    200           200
OPERATIONS                                    200     200    200           200
FINANCE                                       200     403    200           403
AUDITOR                                       200     403    200           403
ADMIN, the installation is off                200     200    200           200
`;

test('each role of staff calls exactly its routes of disbursements', async (context) => {
  const gateway = await testGateway(context, { environment });
  const { database, databaseUrl, url, key: ofMerchant } = gateway;
  const off = { environment: { ...environment, DISBURSEMENTS: 'off' } };
  const elsewhere = await anotherGateway(context, databaseUrl, off);
  const { id: merchantId } = await createMerchant({ database, ...author }, 'Loja');
  const tenantId = await tenantOf(database, merchantId, 'live');
  const terms = `/admin/v1/merchants/${formatId('me', merchantId)}/disbursements`;
  const all: Record<string, Act> = {
    ...adminActs,
    terms: () => ['GET', terms],
    'change terms': () => ['PATCH', terms, { maxDisbursement: '100' }],
  };
  const keys: Record<string, string> = { "a merchant's key": ofMerchant };
  for (const role of staffRoles)
    keys[role] = (await adminKey(gateway, { permissions: permissionsOf(role) })).key;
  const apis = Object.entries(keys).map(([name, key]) => [name, apiOf(url, key)] as const);
  const ofOff = ['ADMIN, the installation is off', apiOf(elsewhere.url, keys.ADMIN!)] as const;
  const rows: [string, string[]][] = [];
  for (const [name, api] of [...apis, ofOff]) {
    const cells: string[] = [];
    for (const act of Object.values(all))
      cells.push(await callWith(api, act, await thingsOf(database, tenantId)));
    rows.push([name, cells]);
  }
  assert.equal(tableOf(Object.keys(all), rows), adminMay);
});

type Press = (things: Things) => { path: string; fields?: Record<string, string> };
const form = { amount: '1', currency: 'CVE', phone: '9912345', operator: 'MOCK' };

/** Every page of disbursements, and every button of theirs. */
const presses: Record<string, Press> = {
  disbursements: () => ({ path: 'disbursements' }),
  'disbursements/file.csv': () => ({ path: 'disbursements/file.csv' }),
  'disbursements/:id': ({ disbursement }) => ({ path: `disbursements/${disbursement}` }),
  'disbursements/:id cancel': ({ disbursement }) => ({
    path: `disbursements/${disbursement}`,
    fields: { action: 'cancel' },
  }),
  // No endpoint is called so.
  'disbursements/:id redeliver': ({ disbursement }) => ({
    path: `disbursements/${disbursement}`,
    fields: { action: 'redeliver', endpoint: 'we_none' },
  }),
  'disbursements/new': () => ({ path: 'disbursements/new' }),
  'disbursements/new check': () => ({
    path: 'disbursements/new',
    fields: { ...fresh(), ...form, action: 'check' },
  }),
  'disbursements/new name': () => ({
    path: 'disbursements/new',
    fields: { ...fresh(), ...form, action: 'name' },
  }),
  'disbursements/new change': () => ({
    path: 'disbursements/new',
    fields: { ...fresh(), ...form, action: 'change' },
  }),
  'disbursements/new send': () => ({
    path: 'disbursements/new',
    fields: { ...fresh(), ...form, action: 'send' },
  }),
  'disbursements/upload': () => ({ path: 'disbursements/upload' }),
  'disbursements/upload check': () => ({
    path: 'disbursements/upload',
    fields: { ...fresh(), pasted: 'operator;phone;amount\nMOCK;9912345;1', action: 'check' },
  }),
  'disbursements/upload send': () => ({
    path: 'disbursements/upload',
    fields: { ...fresh(), rows: '[[2,"MOCK","9912345","1","",""]]', action: 'send' },
  }),
  'disbursements/batches': () => ({ path: 'disbursements/batches' }),
  'disbursements/batches/:id': ({ batch }) => ({ path: `disbursements/batches/${batch}` }),
  'disbursements/batches/:id/results.csv': ({ batch }) => ({
    path: `disbursements/batches/${batch}/results.csv`,
  }),
  'disbursements/batches/:id cancel': ({ batch }) => ({
    path: `disbursements/batches/${batch}`,
    fields: { action: 'cancel' },
  }),
  'disbursements/batches/:id retry': ({ failedBatch }) => ({
    path: `disbursements/batches/${failedBatch}`,
    fields: { ...fresh(), action: 'retry' },
  }),
};

const consoleMay = `
                                              OWNER  FINANCE  SUPPORT  DEVELOPER  VIEWER  CASHIER  of another  staff  suspended  off
disbursements                                   200      200      403        403     200      403         404    404        200  200
disbursements/file.csv                          200      200      403        403     200      403         404    404        200  200
disbursements/:id                               200      200      403        403     200      403         404    404        200  200
disbursements/:id cancel                        303      303      403        403     403      403         404    404        303  303
disbursements/:id redeliver                     400      403      403        403     403      403         404    404        400  400
disbursements/new                               200      200      403        403     403      403         404    404        200  404
disbursements/new check                         200      200      403        403     403      403         404    404        200  404
disbursements/new name                          200      200      403        403     403      403         404    404        404  404
disbursements/new change                        200      200      403        403     403      403         404    404        200  404
disbursements/new send                          303      303      403        403     403      403         404    404        400  404
disbursements/upload                            200      200      403        403     403      403         404    404        200  404
disbursements/upload check                      200      200      403        403     403      403         404    404        400  404
disbursements/upload send                       303      303      403        403     403      403         404    404        400  404
disbursements/batches                           200      200      403        403     200      403         404    404        200  200
disbursements/batches/:id                       200      200      403        403     200      403         404    404        200  200
disbursements/batches/:id/results.csv           200      200      403        403     200      403         404    404        200  200
disbursements/batches/:id cancel                303      303      403        403     403      403         404    404        303  303
disbursements/batches/:id retry                 303      303      403        403     403      403         404    404        400  400
`;

/** At a page of the merchant, as seen from an installation. */
async function press(
  member: Member,
  base: string,
  { path, fields }: ReturnType<Press>,
  origin: string,
) {
  const at = `${base}/${path}`;
  const answer = fields ? await member.post(at, fields, { origin }) : await member.get(at);
  return String(answer.status);
}

test('names every page and button of disbursements', () => {
  const own = pages.filter(({ path }) => path.startsWith('disbursements'));
  const all = own.flatMap(({ path, actions = {} }) => [
    path,
    ...Object.keys(actions).map((action) => `${path} ${action}`),
  ]);
  assert.deepEqual(Object.keys(presses).toSorted(), all.toSorted());
});

test('each role of a merchant sees exactly its pages, and presses exactly its buttons', async (context: TestContext) => {
  const site = await testConsole(context, { environment });
  const { database, databaseUrl } = site.gateway;
  const off = await consoleOn(context, databaseUrl, { ...environment, DISBURSEMENTS: 'off' });
  const { id: merchantId } = await createMerchant({ database, ...author }, 'Loja');
  const { id: suspendedId } = await createMerchant({ database, ...author }, 'Suspensa');
  await suspendMerchant({ database, ...author }, suspendedId, true);
  const people: Record<string, { member: Member; origin?: string; of?: string }> = {};
  for (const role of roles) people[role] = { member: await site.signIn(role, merchantId) };
  const owner = people.OWNER!.member;
  people['of another'] = { member: await site.signIn('OWNER', site.merchantId) };
  people.staff = { member: await site.signInStaff('ADMIN') };
  people.suspended = { member: await site.signIn('OWNER', suspendedId), of: suspendedId };
  people.off = { member: memberAt(off, owner), origin: off };
  const heads = Object.keys(people);
  const shared = new Map<string, Things>();
  for (const id of [merchantId, suspendedId])
    shared.set(id, await thingsOf(database, await tenantOf(database, id, 'test')));
  const rows: [string, string[]][] = [];
  for (const [name, of] of Object.entries(presses)) {
    const cells: string[] = [];
    for (const { member, origin = site.origin, of: own = merchantId } of Object.values(people)) {
      const tenantId = await tenantOf(database, own, 'test');
      const things = name.includes(':id ') ? await thingsOf(database, tenantId) : shared.get(own)!;
      cells.push(await press(member, site.baseOf(own), of(things), origin));
    }
    rows.push([name, cells]);
  }
  assert.equal(tableOf(heads, rows), consoleMay);
});
