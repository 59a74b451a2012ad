/** The pages of the gateway's staff, over HTTP: who may see and do what, and how people join and leave. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { staffPages } from '../../src/interfaces/console/staff/index.ts';
import { staffNavigation } from '../../src/interfaces/console/staff/navigation.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { invite } from '../../src/tenants/people/invitations.ts';
import { staffCan, staffRoles } from '../../src/tenants/people/staff-permissions.ts';
import { staffTeam } from '../../src/tenants/people/teams.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { goodPassword } from '../support/people.ts';
import { hiddenValue, joinedBy, Stranger } from '../support/stranger.ts';

const team = '/console/staff/team';
const addressOf = (path: string) =>
  `/console/staff${path === '' ? '' : `/${path}`}`.replace(/:\w+/g, 'x');

const letTimePass = ({ gateway }: TestConsole) =>
  gateway.database.query({
    text: `UPDATE person_sessions SET reauthenticated_at = now() - interval '10 minutes'`,
  });

async function staffLink({ gateway }: TestConsole, email: string, role = 'ADMIN' as const) {
  const author = { clock: systemClock, ids: randomIds(), actor: 'cli:maria', origin: 'praia-1' };
  const order = { ...staffTeam, email, role };
  const { token } = await invite({ database: gateway.database, ...author }, order);
  return `/console/invitation/${token}`;
}

test('limits each staff role to the pages and actions of its permissions', async (context) => {
  const site = await testConsole(context);
  for (const role of staffRoles) {
    const member = await site.signInStaff(role);
    for (const { path, permission, actions = {} } of staffPages) {
      const address = addressOf(path);
      const { status } = await member.get(address);
      const expected = staffCan(role, permission) ? [200, 303, 404] : [403];
      assert.ok(expected.includes(status), `${role} at ${address}: ${status}`);
      for (const [action, { permission: needed }] of Object.entries(actions)) {
        const sent = await member.post(address, { action });
        const isAllowed = staffCan(role, needed);
        assert.equal(
          sent.status !== 403,
          isAllowed,
          `${role}, ${action} at ${address}: ${sent.status}`,
        );
        assert.ok(sent.status < 500, `${role}, ${action} at ${address}: ${sent.status}`);
      }
    }
  }
});

test("shows staff pages only to staff, and merchants' pages only to their members", async (context) => {
  const site = await testConsole(context);
  const stranger = await fetch(`${site.origin}${team}`, { redirect: 'manual' });
  assert.match(stranger.headers.get('location')!, /^\/console\/sign-in\?next=%2Fconsole%2Fstaff/);
  const owner = await site.signIn('OWNER');
  const admin = await site.signInStaff('ADMIN');
  assert.equal((await admin.get(`${site.base}/payments`)).status, 404);
  for (const { path, actions = {} } of staffPages) {
    assert.equal((await owner.get(addressOf(path))).status, 404, path);
    for (const action of Object.keys(actions)) {
      assert.equal((await owner.post(addressOf(path), { action })).status, 404, action);
    }
  }
});

test('requires reauthentication for sensitive actions, and rejects foreign forms', async (context) => {
  const site = await testConsole(context);
  const admin = await site.signInStaff('ADMIN');
  const csrf = hiddenValue((await admin.get(team)).text, 'csrf');
  const post = (body: Record<string, string>, origin: string) =>
    fetch(`${site.origin}${team}`, {
      method: 'POST',
      body: new URLSearchParams({ action: 'invite', ...body }),
      headers: { cookie: admin.cookie, origin },
      redirect: 'manual',
    });
  assert.equal((await post({ csrf }, 'https://elsewhere.example')).status, 403);
  assert.equal((await post({ csrf: `${csrf}x` }, site.origin)).status, 403);
  await letTimePass(site);
  const page = staffPages.find(({ path }) => path === 'team')!;
  for (const action of Object.keys(page.actions!)) {
    const { location } = await admin.send(team, { action, email: 'rui@gateway.cv', role: 'ADMIN' });
    assert.equal(location, `/console/prove?next=${encodeURIComponent(team)}`, action);
  }
});

test('gives nobody of the staff a role of a merchant', async (context) => {
  const site = await testConsole(context);
  const admin = await site.signInStaff('ADMIN');
  const auditor = await site.signInStaff('AUDITOR');
  const role = formatId('ro', randomUUID());
  const person = formatId('pe', auditor.personId);
  await admin.send(team, { action: 'invite', email: 'rui@gateway.cv', role });
  await admin.send(team, { action: 'role', person, role });
  const text = `
SELECT staff_role AS role FROM invitations UNION ALL SELECT role FROM staff ORDER BY role`;
  const rows = await site.gateway.database.query<{ role: string }>({ text });
  // As for a form that names no role: the least.
  assert.deepEqual(
    rows.map((row) => row.role),
    ['ADMIN', 'AUDITOR', 'AUDITOR'],
  );
});

test('lets an invited person join with an own account, and signs in to the staff pages', async (context) => {
  const site = await testConsole(context);
  const maria = new Stranger(site);
  const link = await staffLink(site, 'maria@gateway.cv');
  assert.match((await maria.get(link)).text, /Invitation to the gateway’s staff.*Admin/s);
  await joinedBy(maria, link);
  assert.equal((await maria.get('/console')).location, '/console/staff');
  const { text } = await maria.get('/console/staff');
  assert.match(text, /class="staff"/);
  assert.doesNotMatch(text, /class="modes"|test-banner/);
});

test('lets an existing account join the staff, and choose where to work', async (context) => {
  const site = await testConsole(context);
  const member = await site.signIn('SUPPORT');
  const email = await emailOf(site, member.personId);
  const link = await staffLink(site, email);
  assert.equal((await member.send(link, { action: 'join' })).location, '/console/staff');
  const { text } = await member.get('/console');
  assert.match(text, /href="\/console\/staff"><b><bdi>Gateway<\/bdi><\/b>.*Admin/s);
  assert.match(text, new RegExp(`${formatId('me', site.merchantId)}/live`));
  assert.equal((await member.get('payments')).status, 200);
});

async function emailOf({ gateway }: TestConsole, personId: string): Promise<string> {
  const text = 'SELECT email FROM people WHERE id = $1';
  return (await gateway.database.query<{ email: string }>({ text }, [personId]))[0]!.email;
}

test('lets an administrator invite, change, sign out and remove, except the last one', async (context) => {
  const site = await testConsole(context);
  const admin = await site.signInStaff('ADMIN');
  const invited = await admin.send(team, {
    action: 'invite',
    email: 'rui@gateway.cv',
    role: 'FINANCE',
  });
  const [link] = /\/console\/invitation\/[\w-]+/.exec(invited.text)!;
  const rui = new Stranger(site);
  const { recoveryCodes } = await joinedBy(rui, link);
  assert.equal((await rui.get(team)).status, 200);
  const person = await idOf(site, 'rui@gateway.cv');
  const me = formatId('pe', admin.personId);
  const demoted = await admin.send(team, { action: 'role', person: me, role: 'AUDITOR' });
  assert.deepEqual([demoted.status, /the last administrator/.test(demoted.text)], [400, true]);
  const gone = await admin.send(team, { action: 'remove', person: me });
  assert.match(gone.text, /the last administrator/);
  const changed = await admin.send(team, { action: 'role', person, role: 'AUDITOR' });
  assert.equal(changed.location, `${team}?done=changed`);
  assert.equal((await admin.send(team, { action: 'out', person })).location, `${team}?done=out`);
  assert.equal((await rui.get(team)).status, 302, 'signed out');
  const given = { action: 'password', email: 'rui@gateway.cv', password: goodPassword };
  await rui.send('/console/sign-in', { ...given, code: recoveryCodes[0]! });
  assert.equal((await rui.get(team)).status, 200);
  await admin.send(team, { action: 'remove', person });
  assert.equal((await rui.get(team)).status, 302, 'signed out');
  await rui.send('/console/sign-in', { ...given, code: recoveryCodes[1]! });
  assert.equal((await rui.get(team)).status, 404);
  assert.match((await rui.get('/console')).text, /do not belong/);
});

async function idOf({ gateway }: TestConsole, email: string): Promise<string> {
  const text = 'SELECT id FROM people WHERE email = $1';
  return formatId('pe', (await gateway.database.query<{ id: string }>({ text }, [email]))[0]!.id);
}

test("signs out only staff from the staff's page", async (context) => {
  const site = await testConsole(context);
  const owner = await site.signIn('OWNER');
  const admin = await site.signInStaff('ADMIN');
  const person = formatId('pe', owner.personId);
  assert.equal((await admin.send(team, { action: 'out', person })).status, 400);
  assert.equal((await owner.get('payments')).status, 200);
});

test('finds merchants by name and id over pages', async (context) => {
  const site = await testConsole(context);
  await site.gateway.database.query({
    text: `INSERT INTO merchants (id, name, created_at)
      SELECT gen_random_uuid(), 'Loja ' || n || CASE n WHEN 7 THEN ' <script>Ilha</script>' ELSE '' END, now()
      FROM generate_series(1, 120) AS n`,
  });
  const auditor = await site.signInStaff('AUDITOR');
  const list = '/console/staff/merchants';
  const seen = new Set<string>();
  for (let address: string | undefined = list; address !== undefined; ) {
    const { text }: { text: string } = await auditor.get(address);
    for (const [id] of text.matchAll(/me_\w+(?=<\/code>)/g)) seen.add(id);
    address = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  assert.ok(seen.size >= 121, `${seen.size} merchants`);
  const { text } = await auditor.get(`${list}?q=ILHA`);
  assert.match(text, /Loja 7 &lt;script&gt;Ilha/);
  assert.equal(text.match(/me_\w+(?=<\/code>)/g)?.length, 1);
  const [id] = seen;
  assert.match((await auditor.get(`${list}?q=${id}`)).text, new RegExp(`${id}</code>`));
  assert.match((await auditor.get(`${list}?q=nobody%25`)).text, /No merchant has this name/);
});

test('links each menu entry to a page that its permission opens', () => {
  for (const { page, permission } of staffNavigation.flatMap(({ entries }) => entries)) {
    assert.equal(staffPages.find(({ path }) => path === page)?.permission, permission, page);
  }
});

test('shows work older than a minute on the page of due work', async (context) => {
  // No worker runs, so due rows stay due.
  const site = await testConsole(context, { environment: { ZIMBO_ROLE: 'api' } });
  const auditor = await site.signInStaff('AUDITOR');
  assert.match((await auditor.get('work')).text, /Nothing has been waiting for more than a minute/);
  const text = `
    INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, due_at, created_at, updated_at)
    SELECT id, id, id, 'PENDING', 0, clock_timestamp() - interval '3 hours', now(), now() FROM tenants LIMIT 1`;
  await site.gateway.database.query({ text });
  const late = await auditor.get('work');
  assert.match(late.text, /Work has been waiting for more than a minute/);
  assert.match(late.text, /Webhook deliveries<\/td>.*?>1<\/td>.*?>3 h<\/td>/s);
});
