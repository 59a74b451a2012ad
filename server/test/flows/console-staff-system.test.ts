/** The audit log, doctor, running processes and keys of /admin/v1 on the pages of the staff, over HTTP. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { reportProcess } from '../../src/operations/doctor/process-registry.ts';
import { type AuditRecord, writeAuditRecord } from '../../src/platform/audit/record.ts';
import { listRecords } from '../../src/platform/audit/store.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { staffCan, staffPermissions } from '../../src/tenants/people/staff-permissions.ts';
import { adminApi } from '../support/admin.ts';
import { skipOnCitus } from '../support/citus.ts';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { apiOf, processCount } from '../support/gateway.ts';
import { hiddenValue } from '../support/stranger.ts';

const ids = randomIds();
const hostile = '=cmd|"<script>alert(1)</script>\u202e';

async function record(
  { gateway }: TestConsole,
  given: Partial<AuditRecord> = {},
  actor = 'cli:maria',
): Promise<void> {
  // Ids of another source sort after the gateway's only from the next millisecond on.
  const { clock } = gateway.gateway;
  const next = { nowMs: () => clock.nowMs() + 1 };
  const by = { clock: next, ids, actor, origin: 'praia-1' };
  const what = { tenantId: null, action: 'review.closed', subject: 'pi_x', ...given } as const;
  await writeAuditRecord(gateway.database, by, what);
}

const one = { limit: 1 };

/** The UUID just before another. */
function idBefore(id: string): string {
  const digits = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const rowsOf = (text: string) => text.match(/<tr><td/g)?.length ?? 0;

async function formOf(member: Member, page: string, fields: Record<string, string>) {
  const { text } = await member.get(page);
  return member.post(page, { csrf: hiddenValue(text, 'csrf'), ...fields });
}

test('searches the audit log by action, author, object, merchant and time', async (context) => {
  const site = await testConsole(context);
  const merchant = formatId('me', site.merchantId);
  await record(site, { action: 'merchant.suspended', subject: merchant });
  await record(site, { subject: 'pi_one', detail: { reason: hostile } });
  await record(site, { subject: 'pi_two' }, 'key:ak_1');
  const auditor = await site.signInStaff('AUDITOR');
  const found = async (query: Record<string, string>) =>
    (await auditor.get(`audit?${new URLSearchParams(query).toString()}`)).text;
  const suspended = await found({ action: 'merchant.suspended' });
  assert.match(suspended, /Merchant suspended/);
  assert.equal(rowsOf(suspended), 1);
  assert.equal(rowsOf(await found({ actor: 'cli:maria', action: 'review.closed' })), 1);
  assert.equal(rowsOf(await found({ actor: 'key:*' })), 1);
  assert.equal(rowsOf(await found({ subject: 'pi_two', actor: 'cli:maria' })), 0);
  const ofMerchant = await found({ merchant, action: 'merchant.*' });
  assert.match(ofMerchant, /Merchant suspended/);
  assert.match(await found({ until: '2020-01-01' }), /No record matches/);
  const details = await found({ subject: 'pi_one' });
  assert.match(details, /<details class="more"><summary>Details.*alert\(1\).*\\u\{202e\}/s);
  assert.doesNotMatch(details, /<script>alert/);
  for (const wrong of ['from=2026-02-30', 'until=x', 'merchant=Loja']) {
    assert.equal((await auditor.get(`audit?${wrong}`)).status, 400, wrong);
  }
  const email = 'maria@gateway.cv';
  const text = 'UPDATE people SET email = $2 WHERE id = $1';
  await site.gateway.database.query({ text }, [auditor.personId, email]);
  await record(site, { subject: 'pi_three' }, `person:${formatId('pe', auditor.personId)}`);
  assert.match(await found({ actor: email }), /Maria Lopes.*pi_three/s);
});

test('lists each audit record once, newest first', async (context) => {
  const site = await testConsole(context);
  for (let n = 0; n < 120; n++) await record(site, { subject: `pi_${n}` });
  const auditor = await site.signInStaff('AUDITOR');
  const seen: string[] = [];
  let address: string | undefined = 'audit?action=review.closed';
  while (address !== undefined) {
    const { text }: { text: string } = await auditor.get(address);
    seen.push(...[...text.matchAll(/title="(pi_\d+)"/g)].map(([, id]) => id!));
    address = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 120 }, (_, n) => `pi_${119 - n}`),
  );
});

test('exports filtered records as CSV without formulas or as JSON lines, and audits the export', async (context) => {
  const site = await testConsole(context);
  await record(site, { subject: hostile });
  await record(site, { action: 'phone.blocked' });
  const auditor = await site.signInStaff('AUDITOR');
  const csv = await formOf(auditor, 'audit?action=review.closed', { action: 'CSV' });
  assert.match(
    csv.headers.get('content-disposition')!,
    /^attachment; filename="audit-[\d-]+\.csv"$/,
  );
  const [header, line, ...rest] = csv.text.replace('\ufeff', '').trimEnd().split('\r\n');
  assert.equal(header, 'id,at,actor,origin,action,subject,merchant,mode,before,after,detail');
  assert.match(line!, /^au_\w+,[^,]+Z,cli:maria,praia-1,review\.closed,"'=cmd\|""<script>/);
  assert.deepEqual(rest, []);
  const jsonLines = await formOf(auditor, 'audit', { action: 'JSONL' });
  const records = jsonLines.text
    .trimEnd()
    .split('\n')
    .map((each) => JSON.parse(each));
  const [mine] = records.filter(({ action }) => action === 'review.closed');
  assert.deepEqual([mine.subject, mine.actor], [hostile, 'cli:maria']);
  const own = records.filter(({ action }) => action === 'audit.exported');
  assert.equal(own.length, 2);
  assert.equal(own[0].actor, `person:${formatId('pe', auditor.personId)}`);
  assert.deepEqual(own[1].detail.filter, { action: 'review.closed' });
  const api = await adminApi(site.gateway, { permissions: ['audit.read'] });
  const root = '/admin/v1/audit-records/export?action=phone.blocked&format';
  const lines = (await api('GET', `${root}=JSONL`)).text.trimEnd().split('\n');
  assert.equal(lines.length, 1);
  const listed = await api('GET', '/admin/v1/audit-records?action=phone.blocked');
  const { cell: _, ...blocked } = listed.body.data[0];
  assert.deepEqual(JSON.parse(lines[0]!), blocked);
  assert.match((await api('GET', `${root}=CSV`)).text, /^id,at.*\r\nau_/);
});

const sealAll = ({ gateway }: TestConsole) =>
  eventually('all is sealed', async () => {
    const waiting = { text: 'SELECT FROM audit_unsealed' };
    return (await gateway.database.query(waiting)).length === 0;
  });

const verifiedBy = async (member: Member, head = ''): Promise<string> => {
  assert.equal((await member.send('audit/verification', { action: 'verify', head })).status, 303);
  return eventually('the verification ends', async () => {
    const { text } = await member.get('audit/verification');
    return text.includes('data-refresh-ms') ? undefined : text;
  });
};

const ofOne = (one: RegExp, several: RegExp) => (processCount === 1 ? one : several);

const quick = { timing: { sealIntervalMs: 20 } };

test('verifies the seals by a button, names the first changed record, and audits the result', {
  skip: skipOnCitus('triggers of a cell are not disabled'),
}, async (context) => {
  const site = await testConsole(context, quick);
  const auditor = await site.signInStaff('AUDITOR');
  await record(site, { subject: 'pi_changed' });
  await sealAll(site);
  const intact = await verifiedBy(auditor);
  // Only the process that verified shows the full result; the log shows all results.
  assert.match(intact, ofOne(/Intact: nothing was changed/, /Latest verification.*Intact/s));
  const { database } = site.gateway;
  await database.transaction(async (transaction) => {
    for (const text of [
      'GRANT UPDATE ON audit_records TO CURRENT_USER',
      'ALTER TABLE audit_records DISABLE TRIGGER ALL',
      `UPDATE audit_records SET actor = 'cli:nobody' WHERE subject = 'pi_changed'`,
    ]) {
      await transaction.query({ text });
    }
  });
  const tampered = await verifiedBy(auditor);
  const problems = ofOne(/is not as it was written\. Problems: 1/, /Not intact \(problems: 1\)/);
  assert.match(tampered, problems);
  assert.match(tampered, /The record au_\w+ of seal \d+ was changed\./);
  assert.match(tampered, /Latest verification.*<dt>Who<\/dt><dd><a [^>]*><bdi>Maria Lopes<\/bdi>/s);
  const log = await auditor.get('audit?action=audit.verified');
  assert.equal(rowsOf(log.text), 2);
  assert.match(log.text, /Maria Lopes.*Audit log verified.*was changed/s);
  const api = await adminApi(site.gateway, { permissions: ['audit.read'] });
  assert.equal((await api('GET', '/admin/v1/audit-verification')).body.clean, false);
});

test('detects a truncated log by a stored seal, and rejects a malformed seal', async (context) => {
  const site = await testConsole(context, quick);
  const auditor = await site.signInStaff('AUDITOR');
  const wrong = await auditor.send('audit/verification', { action: 'verify', head: '12:xyz' });
  assert.deepEqual([wrong.status, /12:9f86d0/.test(wrong.text)], [400, true]);
  const text = await verifiedBy(auditor, `9999:${'ab'.repeat(32)}`);
  assert.match(text, /Seal 9999 was kept elsewhere, but here the last one is/);
  const api = await adminApi(site.gateway, { permissions: ['audit.read'] });
  const root = '/admin/v1/audit-verification';
  const { body } = await api('GET', `${root}?head=9999:${'ab'.repeat(32)}`);
  assert.match(body.problems.join(), /Seal 9999 was kept elsewhere/);
  assert.equal((await api('GET', `${root}?head=1`)).status, 400);
});

test('shows a verification that another process has begun, also where its clock is behind', async (context) => {
  const site = await testConsole(context);
  const auditor = await site.signInStaff('AUDITOR');
  const api = await adminApi(site.gateway, { permissions: ['audit.read'] });
  assert.equal((await api('GET', '/admin/v1/audit-verification')).body.clean, true);
  const begun = { action: 'audit.verification_begun', subject: 'all' } as const;
  const [verified] = await listRecords(site.gateway.database, { action: 'audit.verified' }, one);
  const by = { clock: site.gateway.gateway.clock, ids: { next: () => idBefore(verified!.id) } };
  await writeAuditRecord(site.gateway.database, by, {
    ...begun,
    tenantId: null,
    detail: { run: randomUUID() },
  });
  const { text } = await auditor.get('audit/verification');
  assert.match(text, /Another process has been verifying since/);
  assert.doesNotMatch(text, /name="action" value="verify"/);
});

test('shows a verification once every process has its record', {
  skip: skipOnCitus('a lock of a whole table is one of all nodes'),
}, async (context) => {
  const site = await testConsole(context);
  const auditor = await site.signInStaff('AUDITOR');
  const csrf = hiddenValue((await auditor.get('audit/verification')).text, 'csrf');
  const { database } = site.gateway;
  let answered: Promise<number> | undefined;
  let isAnswered = false;
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'LOCK TABLE audit_records IN SHARE MODE' });
    const sent = auditor.post('audit/verification', { csrf, action: 'verify', head: '' });
    answered = sent.then(({ status }) => {
      isAnswered = true;
      return status;
    });
    await eventually('it waits to be written down', async () => {
      const text = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'audit_records'::regclass`;
      return (await transaction.query({ text })).length > 0;
    });
    await auditor.get('audit');
    assert.equal(isAnswered, false);
  });
  assert.equal(await answered, 303);
});

type Checks = { name: string; status: string; figure: string; advice: string | null }[];

test('runs the doctor in the process that answers, for the page and the API', async (context) => {
  const site = await testConsole(context);
  const { database } = site.gateway;
  const text = `INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, created_at, updated_at)
    SELECT id, id, id, 'PENDING', 0, clock_timestamp() - interval '3 hours', now() FROM tenants LIMIT 1`;
  await database.query({ text });
  const api = await adminApi(site.gateway, { permissions: ['system.read'] });
  const { status, body } = await api('GET', '/admin/v1/doctor');
  assert.equal(status, 200);
  const checks = body.checks as Checks;
  const names = checks.map(({ name }) => name);
  for (const name of [
    'Console',
    'DATA_DIR',
    'Server',
    'Migrations',
    'Processes',
    'Secret key',
    'Due work',
    'Audit log',
    'Ledger',
  ]) {
    assert.ok(names.includes(name), name);
  }
  assert.equal(body.process.pid, process.pid);
  const waiting = checks.find(({ name }) => name === 'Waiting')!;
  assert.deepEqual(
    [waiting.status, waiting.figure],
    ['warning', '1 for 1 disabled, the oldest 3 h'],
  );
  assert.equal(body.warnings, checks.filter((each) => each.status === 'warning').length);
  // Within half a minute, the same process does not run again.
  if (processCount > 1) return;
  await database.query({ text: 'DELETE FROM deliveries' });
  const page = await (await site.signInStaff('OPERATIONS')).get('doctor');
  assert.match(page.text, /1 for 1 disabled, the oldest 3 h/);
  assert.match(page.text, /They wait until the merchant enables the endpoint/);
  assert.match(page.text, new RegExp(`\\(${process.pid}\\)`));
  assert.doesNotMatch(page.text, /data-refresh-ms/);
});

test('lists running processes with their clocks and differing settings', async (context) => {
  const site = await testConsole(context);
  const other = {
    id: randomUUID(),
    role: 'worker',
    host: `praia-2${hostile}`,
    pid: 77,
    version: '0.0.9',
    settings: { FEE_MOCK: '1 %' },
    clockOffsetMs: -90_000,
    memoryBytes: null,
  };
  await reportProcess(site.gateway.database, other);
  const { text } = await (await site.signInStaff('AUDITOR')).get('processes');
  assert.match(text, /praia-2.*\(77\).*Work only \(worker\).*0\.0\.9.*90\.0 s behind/s);
  assert.match(text, /A clock is more than a minute off/);
  assert.match(text, /Different settings.*the version of Zimbo.*FEE_MOCK.*1 %/s);
  assert.doesNotMatch(text, /<script>alert/);
  const api = await adminApi(site.gateway, { permissions: ['system.read'] });
  const { body } = await api('GET', '/admin/v1/processes');
  const mine = body.data.find(({ pid }: { pid: number }) => pid === 77);
  assert.deepEqual([mine.role, mine.clockOffsetMs, 'settings' in mine], ['worker', -90_000, false]);
  assert.equal(mine.memoryBytes, null);
  const own = body.data.find(({ pid }: { pid: number }) => pid === process.pid);
  assert.ok(own.memoryBytes > 50e6, 'what this process has in memory');
  assert.ok(body.differences.some(({ setting }: { setting: string }) => setting === 'FEE_MOCK'));
});

const keyForm = { action: 'create', label: 'nightly', permissions: 'ledger.read', expires: '30' };

test('lets an administrator create, see once, use and revoke a key of /admin/v1', async (context) => {
  const site = await testConsole(context);
  const admin = await site.signInStaff('ADMIN');
  const { text: page } = await admin.get('admin-keys/new');
  const fields = { ...keyForm, csrf: hiddenValue(page, 'csrf'), key: hiddenValue(page, 'key') };
  const made = await admin.post('admin-keys/new', fields);
  const [key] = /ak_admin_\w{32}/.exec(made.text)!;
  assert.equal(made.status, 200);
  const again = await admin.post('admin-keys/new', fields);
  assert.deepEqual([again.status, /ak_admin_\w{32}/.test(again.text)], [409, false]);
  const api = apiOf(site.gateway.url, key);
  assert.equal((await api('GET', '/admin/v1/ledger/accounts')).status, 200);
  assert.equal((await api('GET', '/admin/v1/merchants')).status, 403);
  const { text: list } = await admin.get('admin-keys');
  assert.equal(rowsOf(list), 1);
  assert.match(list, new RegExp(`nightly.*ak_admin_…${key.slice(-4)}.*Valid`, 's'));
  assert.ok(!list.includes(key));
  const [, address] = /href="\/console\/staff\/(admin-keys\/ak_\w+)"/.exec(list)!;
  assert.match((await admin.get(address!)).text, /See accounts and postings/);
  const revoked = await admin.send(address!, { action: 'revoke' });
  assert.equal(revoked.location, `/console/staff/${address}?done=revoked`);
  assert.match((await admin.get(address!)).text, /Revoked/);
  const log = await admin.get(`audit?subject=${address!.split('/')[1]}`);
  assert.match(log.text, /Admin key revoked.*Maria Lopes.*Admin key created/s);
});

test('requires reauthentication and valid terms to create or revoke a key', async (context) => {
  const site = await testConsole(context);
  const admin = await site.signInStaff('ADMIN');
  const send = async (change: Record<string, string | string[]>) => {
    const { text } = await admin.get('admin-keys/new');
    const own = { csrf: hiddenValue(text, 'csrf'), key: hiddenValue(text, 'key') };
    return admin.post('admin-keys/new', { ...keyForm, ...own, ...change });
  };
  for (const [change, words] of [
    [{ label: '' }, /1 to 100 characters/],
    [{ permissions: [] }, /Choose at least one of the permissions/],
    [{ permissions: 'everything' }, /Choose at least one of the permissions/],
    [{ expires: '9999' }, /Choose one of these times/],
    [{ addresses: 'nowhere' }, /neither an address nor a network/],
    [{ key: 'x' }, /correct a value/],
  ] as const) {
    const { status, text } = await send(change as Record<string, string>);
    assert.deepEqual([status, words.test(text)], [400, true], JSON.stringify(change));
    assert.doesNotMatch(text, /ak_admin_\w{32}/);
  }
  const text = `UPDATE person_sessions SET reauthenticated_at = now() - interval '10 minutes'`;
  await site.gateway.database.query({ text });
  const late = await send({});
  assert.match(late.location!, /^\/console\/prove\?/);
  assert.equal((await site.gateway.database.query({ text: 'SELECT FROM admin_keys' })).length, 0);
  const page = (await admin.get('admin-keys/new')).text;
  for (const permission of staffPermissions.filter((each) => staffCan('ADMIN', each))) {
    assert.ok(page.includes(`value="${permission}"`), permission);
  }
});
