import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../test/support/database.ts';
import { ownDataDir, runZimbo, terminalCode } from '../../test/support/zimbo.ts';
import { systemClock } from '../platform/process/clock.ts';
import { makeAuthenticate } from '../tenants/merchants/authenticate.ts';

/** Runs commands, one after the other, on the test's own database. */
async function commandLine(context: TestContext) {
  const { url, database } = await testDatabase(context);
  const zimbo = async (...args: string[]) => {
    const { ended, output } = runZimbo(context, args, { DATABASE_URL: url });
    return { code: await ended, ...output };
  };
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await zimbo(...args, '--json');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
    return JSON.parse(stdout);
  };
  const makeMerchant = async (): Promise<string> =>
    (await json('merchants', 'create', '--name', 'Loja')).id;
  /** An output whose reader has gone before anything was printed. */
  const unread = async (...args: string[]) => {
    const { child, ended, output } = runZimbo(context, args, { DATABASE_URL: url });
    child.stdout!.destroy();
    return { code: await ended, stderr: output.stderr };
  };
  return { database, zimbo, json, makeMerchant, unread };
}

test('prints one object or array on stdout with --json, and nothing else', async (context) => {
  const { database, json } = await commandLine(context);
  const merchant = await json('merchants', 'create', '--name', 'Loja');
  assert.match(merchant.id, /^me_[0-9a-z]{26}$/);
  const [listed, ...others] = await json('merchants', 'list');
  assert.deepEqual(others, []);
  assert.equal(listed.id, merchant.id);
  assert.equal(listed.name, 'Loja');

  const permissions = ['payments:read', 'events:read'];
  const create = ['keys', 'create', '--merchant', merchant.id, '--mode', 'test'];
  const key = await json(...create, '--permissions', permissions.join(','));
  assert.match(key.id, /^ak_[0-9a-z]{26}$/);
  assert.match(key.key, /^sk_test_[0-9A-Za-z]{32}$/);
  const [stored] = await json('keys', 'list', '--merchant', merchant.id);
  assert.equal(stored.id, key.id);
  assert.equal(stored.merchantId, merchant.id);
  assert.equal(stored.last4, key.key.slice(-4));
  assert.deepEqual(stored.permissions, permissions);
  assert.equal(stored.revokedAt, null);

  const authenticate = makeAuthenticate({ database, clock: systemClock, ttlMs: 0 });
  assert.deepEqual((await authenticate(key.key))?.permissions, new Set(permissions));
  assert.notEqual((await json('keys', 'revoke', key.id)).revokedAt, null);
  assert.equal(await authenticate(key.key), undefined);

  assert.deepEqual(await json('migrate'), { applied: [] });
  assert.deepEqual(await json('ledger', 'suspense'), []);
  const clean = { clean: true, problems: [], inFlight: [] };
  assert.deepEqual(await json('ledger', 'check'), clean);
});

test('prints text for people, and warns that the key is shown only once', async (context) => {
  const { zimbo, makeMerchant } = await commandLine(context);
  assert.match((await zimbo('merchants', 'list')).stdout, /There are no merchants/);
  const id = await makeMerchant();
  const { stdout, code } = await zimbo('keys', 'create', '--merchant', id, '--mode', 'live');
  assert.equal(code, 0);
  assert.match(stdout, /^Key {7}sk_live_\w{32}$/m);
  assert.match(stdout, /cannot be shown again/);
  const list = (await zimbo('keys', 'list')).stdout.trimEnd().split('\n');
  assert.equal(list.length, 2);
  const column = list[0]!.indexOf('MERCHANT');
  assert.equal(list[1]!.slice(column, column + id.length), id);
  const [heading, row] = (await zimbo('merchants', 'list')).stdout.split('\n');
  assert.equal(heading!.indexOf('NAME'), row!.indexOf('Loja'));
  assert.ok(!(stdout + list.join('')).includes(terminalCode));
});

test('writes a due backup to BACKUP_TO, and refuses a file name', async (context) => {
  const { zimbo } = await commandLine(context);
  const { code, stderr } = await zimbo('backup', 'zimbo.backup.gz', '--if-due');
  assert.equal(code, 2);
  assert.match(stderr, /--if-due makes a backup in BACKUP_TO: leave FILE out/);
});

test('fails if a new key could not be printed, and names the key to revoke', async (context) => {
  const { json, unread, makeMerchant } = await commandLine(context);
  const create = ['keys', 'create', '--merchant', await makeMerchant(), '--mode', 'test'];
  const created = await unread(...create, '--json');
  const [key] = await json('keys', 'list');
  assert.equal(created.code, 1);
  assert.ok(created.stderr.includes(`zimbo keys revoke ${key.id}`), created.stderr);
  const rolled = await unread('keys', 'roll', key.id);
  const [newest] = (await json('keys', 'list')).filter(({ id }: { id: string }) => id !== key.id);
  assert.equal(rolled.code, 1);
  assert.ok(rolled.stderr.includes(`zimbo keys revoke ${newest.id}`), rolled.stderr);
  const admin = ['admin-keys', 'create', '--label', 'nightly', '--permissions', 'finance'];
  const ofStaff = await unread(...admin);
  const [staffKey] = await json('admin-keys', 'list');
  assert.equal(ofStaff.code, 1);
  assert.ok(ofStaff.stderr.includes(`zimbo admin-keys revoke ${staffKey.id}`), ofStaff.stderr);
  assert.equal(
    (await unread('keys', 'list')).code,
    0,
    'does not fail when output that can be read again is not printed',
  );
});

test('creates, lists and rolls a key with its terms', async (context) => {
  const { zimbo, json, makeMerchant } = await commandLine(context);
  const merchant = await makeMerchant();
  const create = ['keys', 'create', '--merchant', merchant, '--mode', 'test', '--label', 'till 3'];
  const addresses = '192.0.2.0/24,2001:db8:5::/48';
  const limits = ['--max-payment', '250', '--max-refunded-per-day', '1000.50'];
  const made = await json(...create, '--expires', '90d', '--addresses', addresses, ...limits);
  const [key] = await json('keys', 'list');
  assert.equal(key.label, 'till 3');
  assert.deepEqual(key.allowedAddresses, addresses.split(','));
  assert.equal(key.maxPayment, '25000');
  assert.equal(key.maxRefundedPerDay, '100050');
  assert.equal(key.lastUsedAt, null);
  const lifeMs = Date.parse(key.expiresAt) - Date.parse(key.createdAt);
  assert.ok(Math.abs(lifeMs - 90 * 86_400_000) < 60_000);
  const rolled = await json('keys', 'roll', made.id, '--overlap', '48');
  assert.match(rolled.key, /^sk_test_/);
  assert.equal(rolled.old.id, made.id);
  assert.equal(rolled.old.rolledTo, rolled.id);
  const { stdout, code } = await zimbo('keys', 'list');
  assert.equal(code, 0);
  assert.match(stdout, /till 3 .* until 20.*192\.0\.2\.0\/24, 2001:db8:5::\/48 .*payment 250\.00/);
  const again = await zimbo('keys', 'roll', made.id);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /was rolled to ak_/);
});

test('reports an unknown id on stderr, with exit code 1', async (context) => {
  const { zimbo } = await commandLine(context);
  const unknown = '01m7ymzm44e07ag6acm63eph7z';
  const commands = [
    ['keys', 'create', '--mode', 'test', '--merchant', `me_${unknown}`],
    ['keys', 'create', '--mode', 'test', '--merchant', 'nonsense'],
    ['keys', 'list', '--merchant', `ak_${unknown}`],
    ['keys', 'revoke', `ak_${unknown}`],
    ['keys', 'revoke', `me_${unknown}`],
    ['keys', 'roll', `ak_${unknown}`],
  ];
  for (const command of commands) {
    const { code, stdout, stderr } = await zimbo(...command);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, command.join(' '));
    assert.match(
      stderr,
      /^There is no (merchant|key) ".*"\.\n"zimbo \w+ list" shows them all\.\n$/,
    );
  }
});

test('exits with 1 for a wrong ledger, and names its owner', async (context) => {
  const { database, zimbo, makeMerchant } = await commandLine(context);
  const merchantId = await makeMerchant();
  await database.query({
    text: `INSERT INTO balances SELECT id, 'fees', 'CVE', 7 FROM tenants WHERE mode = 'test'`,
  });
  const words = 'account fees in CVE has a balance of 7, but its postings sum up to 0';
  const forPeople = await zimbo('ledger', 'check');
  assert.equal(forPeople.code, 1);
  assert.match(forPeople.stdout, new RegExp(`^- ${merchantId} \\(test\\): ${words}$`, 'm'));
  const forPrograms = await zimbo('ledger', 'check', '--json');
  assert.equal(forPrograms.code, 1);
  const { clean, problems } = JSON.parse(forPrograms.stdout);
  assert.equal(clean, false);
  assert.equal(problems.length, 1);
  assert.equal(problems[0].message, words);
  assert.equal(problems[0].merchantId, merchantId);
});

test('exits with 2 on wrong usage, without a database', async (context) => {
  const environment = { DATABASE_URL: 'postgres://127.0.0.1:1/nothing' };
  const wrong = [
    [],
    ['keys'],
    ['stard'],
    ['merchants', 'create'],
    ['merchants', 'list', '--jsno'],
    ['keys', 'create', '--merchant', 'me_x', '--mode', 'both'],
    ['keys', 'create', '--merchant', 'me_x', '--mode', 'test', '--expires', 'soon'],
    ['keys', 'create', '--merchant', 'me_x', '--mode', 'test', '--addresses', 'shop.cv'],
    ['keys', 'create', '--merchant', 'me_x', '--mode', 'test', '--max-payment', '1e3'],
    ['keys', 'roll', 'ak_x', '--overlap', '721'],
    ['keys', 'create', '--merchant', 'me_x', '--mode', 'test', '--permissions', 'payments:all'],
  ];
  const results = await Promise.all(
    wrong.map(async (args) => {
      const { ended, output } = runZimbo(context, args, environment);
      return { args, code: await ended, ...output };
    }),
  );
  for (const { args, code, stdout, stderr } of results) {
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, args.join(' '));
    assert.match(stderr, /Usage|--help/, args.join(' '));
  }
  const help = runZimbo(context, ['keys', 'create', '--help'], environment);
  assert.equal(await help.ended, 0);
  assert.match(help.output.stdout, /Examples:\n {2}\$ npx zimbo keys create/);
});

test('reports an unreachable database and wrong settings without a stack trace', async (context) => {
  const unreachable = { DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/nothing' };
  const wrong = { DATABASE_URL: 'mysql://user:hunter2@db/nothing', LOG_LEVEL: 'loud' };
  for (const environment of [unreachable, wrong]) {
    const { ended, output } = runZimbo(context, ['merchants', 'list'], environment);
    assert.equal(await ended, 1);
    assert.equal(output.stdout, '');
    assert.match(output.stderr, /DATABASE_URL/);
    assert.doesNotMatch(output.stderr, /hunter2|^ {4}at /m);
  }
});

test('refuses a live key on the embedded database unless a setting allows it', async (context) => {
  const { dataDir, inside } = await ownDataDir(context);
  const embedded = { DATA_DIR: dataDir };
  const zimbo = async (args: string[], environment: Record<string, string> = embedded) => {
    const { ended, output } = runZimbo(inside, args, environment);
    return { code: await ended, ...output };
  };
  const made = await zimbo(['merchants', 'create', '--name', 'Loja', '--json']);
  const create = ['keys', 'create', '--merchant', JSON.parse(made.stdout).id, '--mode'];
  const refused = await zimbo([...create, 'live']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /real money[\s\S]*ZIMBO_ALLOW_LIVE_EMBEDDED=true/);
  assert.equal((await zimbo([...create, 'test'])).code, 0);
  const allowed = { ...embedded, ZIMBO_ALLOW_LIVE_EMBEDDED: 'true' };
  assert.equal((await zimbo([...create, 'live'], allowed)).code, 0);
});
