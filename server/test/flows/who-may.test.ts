/**
 * Every page, button and route, over HTTP, for a support agent of one shop, an auditor and an
 * administrator.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { adminOpenApiDocument } from '../../scripts/openapi.ts';
import { pages } from '../../src/interfaces/console/pages/index.ts';
import { staffPages } from '../../src/interfaces/console/staff/index.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { can } from '../../src/tenants/people/permissions.ts';
import { type StaffPermission, staffCan } from '../../src/tenants/people/staff-permissions.ts';
import { adminKey, permissionsOf } from '../support/admin.ts';
import type { Member, PageAnswer } from '../support/console.ts';
import { allButtons } from '../support/console-buttons.ts';
import { addressOf, type Shop, twoShops } from '../support/console-shops.ts';
import { type Api, apiOf } from '../support/gateway.ts';

interface Row {
  path: string;
  act: string;
  /** For the support agent, the auditor and the administrator. */
  may: boolean[];
}

type Listed<Permission> = Readonly<{
  path: string;
  permission: Permission;
  actions?: Readonly<Record<string, { permission: Permission }>>;
}>;

/** Each page with its buttons, and their permissions from the tables of roles. */
const rowsOf = <Permission>(
  pages: readonly Listed<Permission>[],
  mayOf: (permission: Permission) => boolean[],
): Row[] =>
  pages.flatMap(({ path, permission, actions = {} }) => [
    { path, act: 'see', may: mayOf(permission) },
    ...Object.entries(actions).map(([act, action]) => ({
      path,
      act,
      // The button is on the page.
      may: mayOf(action.permission).map((may, person) => may && mayOf(permission)[person]!),
    })),
  ]);

const ofStaff = (permission: StaffPermission) => [
  false,
  staffCan('AUDITOR', permission),
  staffCan('ADMIN', permission),
];

const shopRows = rowsOf(pages, (permission) => [can('SUPPORT', permission), false, false]);
const staffRows = rowsOf(staffPages, ofStaff);

type Operation = { 'x-permission': StaffPermission };
const { paths }: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
  await adminOpenApiDocument(),
);
const routes = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    path,
    act: method.toUpperCase(),
    may: ofStaff(operation['x-permission']),
  })),
);

/** Which permission each page, button and route requires. A wrong one shows here, in the review of a change. */
const requirements = [
  ...declared('shop', pages),
  ...declared('staff', staffPages),
  ...Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]) => `${method.toUpperCase()} ${path}: ${operation['x-permission']}`,
    ),
  ),
];

function declared(area: string, listed: readonly Listed<string>[]): string[] {
  return listed.flatMap(({ path, permission, actions = {} }) => [
    `${area} /${path}: ${permission}`,
    ...Object.entries(actions).map(
      ([act, action]) => `${area} /${path} ${act}: ${action.permission}`,
    ),
  ]);
}

/** Update the list with `npx node server/test/run.ts --test-update-snapshots server/test/flows/who-may.test.ts`. */
test('requires the reviewed permission for each page, button and route', (context) => {
  const file = join(import.meta.dirname, 'who-may.permissions.txt');
  const serializers = [(lines: string[]) => `${lines.join('\n')}\n`];
  context.assert.fileSnapshot(requirements, file, { serializers });
});

/** The shops of the test have no logo, and no open approval. */
const missing = ['links/:id/logo see', 'links/reusable/:id/logo see', 'approvals cancel'];

test('limits each of the three to the tables of roles', async (context) => {
  const { site, ours, theirs } = await twoShops(context);
  // The role with the fewest permissions comes first, while the objects of the others still exist.
  const people = [
    await site.signIn('SUPPORT', ours.merchantId),
    await site.signInStaff('AUDITOR'),
    await site.signInStaff('ADMIN'),
  ];
  const wrong: string[] = [];
  const expect = (person: number, row: Row, at: string, { status, is }: Seen) => {
    const may = row.may[person]!;
    const isRight = status < 500 && (may ? is(status) : [401, 403, 404].includes(status));
    if (!isRight) wrong.push(`${person} ${row.act} ${at}: ${status}, and may ${may}`);
  };
  for (const [person, member] of people.entries()) {
    for (const row of shopRows) {
      for (const shop of [ours, theirs]) {
        const own = shop === ours ? row : { ...row, may: [false, false, false] };
        const seen = await atShop(member, site.baseOf(shop.merchantId), row, shop);
        const not = missing.includes(`${row.path} ${row.act}`) ? [403] : [403, 404];
        expect(person, own, row.path, { ...seen, is: (status) => !not.includes(status) });
      }
    }
    for (const row of staffRows) {
      const at = `/console/staff/${row.path.replace(/:\w+/g, 'x')}`.replace(/\/$/, '');
      const { status } = await ask(member, at, row.act, {});
      // No object is called x, and people who may look for it learn that.
      expect(person, row, at, { status, is: (each) => each !== 403 });
      if (person === 0) assert.equal(status, 404, `for others than staff there is no ${at}`);
    }
  }
  const { database } = site.gateway;
  const base = { database, clock: systemClock, ids: randomIds(), actor: 'cli:test' };
  const own = await issueKey(base, { merchantId: ours.merchantId, mode: 'test' });
  const keys = [
    own.key,
    (await adminKey(site.gateway, { permissions: permissionsOf('AUDITOR') })).key,
    (await adminKey(site.gateway, { permissions: permissionsOf('ADMIN') })).key,
  ];
  for (const [person, key] of keys.entries()) {
    const api = apiOf(site.gateway.url, key);
    for (const row of routes) {
      const { status } = await call(api, row);
      expect(person, row, row.path, { status, is: (each) => ![401, 403].includes(each) });
      if (person === 0) assert.equal(status, 401, `${row.act} ${row.path} with a key of a shop`);
    }
  }
  assert.deepEqual(wrong, []);
});

interface Seen {
  status: number;
  /** Whether the status is that of a permitted request. */
  is: (status: number) => boolean;
}

async function atShop(member: Member, base: string, { path, act }: Row, { test: things }: Shop) {
  const button = allButtons.find(({ name }) => name === `${path} ${act}`);
  const pressed = button?.press(things);
  const address = path.includes(':') ? addressOf(path, things) : path;
  const at = pressed?.path ?? address;
  return ask(member, at === '' ? base : `${base}/${at}`, act, pressed?.fields ?? {});
}

const ask = (
  member: Member,
  at: string,
  act: string,
  fields: Record<string, string>,
): Promise<PageAnswer> =>
  act === 'see' ? member.get(at) : member.post(at, { action: act, ...fields });

/** No object has these names, and the forms are empty: only the permission matters. */
const call = (api: Api, { path, act }: Row) =>
  api(act, path.replace(/\{\w+\}/g, 'x'), act === 'GET' ? undefined : {});
