import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLog, testDatabase } from '../../test/support/database.ts';
import {
  type Api,
  anotherGateway,
  apiOf,
  eventually,
  testKey,
} from '../../test/support/gateway.ts';
import { testReceiver } from '../../test/support/receiver.ts';
import { ownDataDir, runZimbo } from '../../test/support/zimbo.ts';
import { secretContext } from '../integrations/webhooks/endpoint.ts';
import { sign } from '../integrations/webhooks/signature.ts';
import { type Database, openDatabase } from '../platform/postgres/database.ts';
import { createSecretBox } from '../platform/secrets/secret-box.ts';

const [oldKey, newKey, lostKey] = [1, 2, 3].map((byte) =>
  Buffer.alloc(32, byte).toString('hex'),
) as [string, string, string];
const both = { ZIMBO_SECRET_KEY: newKey, ZIMBO_SECRET_KEY_PREVIOUS: oldKey };

async function world(context: TestContext) {
  const { url, database } = await testDatabase(context);
  const key = await testKey(database);
  const receiver = await testReceiver(context);
  /** Runs a gateway with these keys for the duration of a call. */
  const withGateway = async <T>(
    environment: Record<string, string>,
    call: (api: Api) => Promise<T>,
  ) => {
    const endings: (() => unknown)[] = [];
    const inside = { after: (end: () => unknown) => void endings.push(end) };
    try {
      const gateway = await anotherGateway(inside, url, { environment });
      return await call(apiOf(gateway.url, key));
    } finally {
      for (const end of endings) await end();
    }
  };
  /** The delivery caused by a payment. */
  const deliveryOf = (environment: Record<string, string>) =>
    withGateway(environment, async (api) => {
      const before = receiver.received.length;
      const payment = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912345' };
      assert.equal((await api('POST', '/v1/payments', payment)).status, 200);
      return eventually('a delivery', () => receiver.received[before]);
    });
  /** Requests the same endpoint repeatedly, under one idempotency key. */
  const endpoint = (environment: Record<string, string>, name = 'first') =>
    withGateway(environment, (api) => {
      const body = { url: receiver.url, events: ['payment.created'] };
      return api('POST', '/v1/webhooks', body, { 'idempotency-key': name });
    });
  const rotate = async (environment: Record<string, string> = both, ...options: string[]) => {
    const settings = { DATABASE_URL: url, ...environment };
    const run = runZimbo(context, ['secrets', 'rotate', ...options], settings);
    return { code: await run.ended, ...run.output };
  };
  return { url, database, receiver, key, deliveryOf, endpoint, rotate };
}

type Delivery = Awaited<ReturnType<Awaited<ReturnType<typeof world>>['deliveryOf']>>;

function isSigned({ headers, raw }: Delivery, secret: string): boolean {
  const timestamp = Number(headers['x-service-timestamp']);
  return sign(secret, timestamp, raw.toString()) === headers['x-service-signature'];
}

/** More endpoints of the same tenant, all deleted: deleted endpoints keep their secrets. */
async function moreEndpoints(database: Database, count: number): Promise<void> {
  const text = `
    INSERT INTO webhook_endpoints (tenant_id, id, version, url, events, status, secret_box, deleted_at, created_at, updated_at)
    SELECT $1, id, 1, 'http://localhost/', '{payment.created}', 'ACTIVE', secret_box, now(), now(), now()
    FROM unnest($2::uuid[], $3::bytea[]) AS made (id, secret_box)`;
  const [row] = await database.query<{ tenantId: string }>({
    text: 'SELECT tenant_id AS "tenantId" FROM webhook_endpoints',
  });
  const { tenantId } = row!;
  const box = createSecretBox(Buffer.from(oldKey, 'hex'));
  const ids = Array.from({ length: count }, () => randomUUID());
  const boxes = ids.map((id) => box.encrypt('whsec_of_another', secretContext({ tenantId, id })));
  await database.query({ text }, [tenantId, ids, boxes]);
}

const underKey = async (database: Database) => {
  const text = `SELECT encode(substr(secret_box, 2, 4), 'hex') AS key, count(*)::integer FROM webhook_endpoints GROUP BY 1 ORDER BY 2`;
  return (await database.query<{ count: number }>({ text })).map(({ count }) => count);
};

test('signs deliveries with the same secret before, during and after a rotation', async (context) => {
  const { database, deliveryOf, endpoint, rotate } = await world(context);
  const old = { ZIMBO_SECRET_KEY: oldKey };
  const created = await endpoint(old);
  const { secret } = created.body;
  assert.ok(isSigned(await deliveryOf(old), secret));
  assert.ok(isSigned(await deliveryOf(both), secret));
  const rotated = await rotate();
  assert.deepEqual({ code: rotated.code }, { code: 0 }, rotated.stderr);
  assert.match(rotated.stdout, /1 was re-encrypted\.\n.*you can remove ZIMBO_SECRET_KEY_PREVIOUS/);
  assert.doesNotMatch(rotated.stdout + rotated.stderr, /whsec_|(01){8}|(02){8}/);
  const now = { ZIMBO_SECRET_KEY: newKey };
  assert.ok(isSigned(await deliveryOf(now), secret));
  assert.equal((await endpoint(now)).text, created.text);
  const [record, ...others] = await database.query<{ actor: string; detail: unknown }>({
    text: `SELECT actor, detail FROM audit_records WHERE action = 'secrets.reencrypted'`,
  });
  assert.deepEqual(others, []);
  assert.match(record!.actor, /^cli:/);
  assert.deepEqual(record!.detail, { endpoints: 1 });
});

test('resumes a rotation that was killed between two batches, without damage', async (context) => {
  const { url, database, deliveryOf, endpoint, rotate } = await world(context);
  const { secret } = (await endpoint({ ZIMBO_SECRET_KEY: oldKey })).body;
  await moreEndpoints(database, 500);
  const holder = openDatabase({ url, log: silentLog, maxConnections: 1 });
  context.after(() => holder.close());
  // A lock on a row of a later batch keeps the command running until it is killed.
  const last = `SELECT id FROM webhook_endpoints ORDER BY id DESC LIMIT 1 FOR UPDATE`;
  await holder.transaction(async (transaction) => {
    await transaction.query({ text: last });
    const settings = { DATABASE_URL: url, ...both };
    const killed = runZimbo(context, ['secrets', 'rotate'], settings);
    await eventually('two batches are done', () => /400 encrypted/.test(killed.output.stderr));
    killed.child.kill('SIGKILL');
    await killed.ended;
  });
  assert.deepEqual(await underKey(database), [101, 400]);
  assert.ok(isSigned(await deliveryOf(both), secret));
  const again = await rotate(both, '--json');
  assert.deepEqual(JSON.parse(again.stdout), { reencrypted: 101, unreadable: [] });
  assert.deepEqual(await underKey(database), [501]);
  assert.ok(isSigned(await deliveryOf({ ZIMBO_SECRET_KEY: newKey }), secret));
  const idle = await rotate(both, '--json');
  assert.deepEqual(JSON.parse(idle.stdout), { reencrypted: 0, unreadable: [] });
});

test('names secrets that neither key decrypts, and rotates the rest', async (context) => {
  const { database, endpoint, rotate } = await world(context);
  await endpoint({ ZIMBO_SECRET_KEY: oldKey });
  const lost = (await endpoint({ ZIMBO_SECRET_KEY: lostKey }, 'lost')).body;
  const { code, stdout } = await rotate();
  assert.equal(code, 1);
  assert.match(stdout, new RegExp(`Neither key opens the secrets of 1: ${lost.id}\\.`));
  assert.match(stdout, /Keep both keys/);
  await database.query({
    text: `UPDATE webhook_endpoints SET deleted_at = now() WHERE idempotency_key = 'lost'`,
  });
  assert.equal((await rotate()).code, 0);
});

test('names the missing key of a rotation', async (context) => {
  const { rotate } = await world(context);
  const wrong: [Record<string, string>, RegExp][] = [
    [{}, /ZIMBO_SECRET_KEY is not set/],
    [{ ZIMBO_SECRET_KEY: newKey }, /ZIMBO_SECRET_KEY_PREVIOUS is not set/],
    [{ ...both, ZIMBO_SECRET_KEY_PREVIOUS: newKey }, /is the same key as ZIMBO_SECRET_KEY/],
    [{ ZIMBO_SECRET_KEY_PREVIOUS: oldKey }, /set both, or neither/],
  ];
  for (const [environment, words] of wrong) {
    const { code, stderr } = await rotate(environment);
    assert.equal(code, 1);
    assert.match(stderr, words);
  }
});

test('rotates every column that holds a box', async (context) => {
  const { database } = await testDatabase(context);
  const rows = await database.query<{ name: string }>({
    text: `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name LIKE '%\\_box%' ORDER BY 1`,
  });
  // Tokens of single sign-on are encrypted with the new key at the next request to the provider, or the next sign-in.
  const boxes = ['answer_box', 'next_secret_box', 'secret_box'];
  const known = boxes.map((name) => `webhook_endpoints.${name}`);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['people.totp_box', 'person_sessions.sso_box', ...known],
  );
});

test('replaces the key of the embedded database once the gateway is stopped', async (context) => {
  const { dataDir, inside } = await ownDataDir(context);
  const start = async () => {
    const gateway = runZimbo(inside, ['start'], { PORT: '0', DATA_DIR: dataDir });
    const [, url] = await gateway.says(/Gateway +(http:\S+)/);
    const [, key] = /ZIMBO_API_KEY=(\S+)/.exec(await readFile(join(dataDir, 'demo.env'), 'utf8'))!;
    return { gateway, api: apiOf(url!, key!) };
  };
  const rotate = async () => {
    const { ended, output } = runZimbo(inside, ['secrets', 'rotate'], { DATA_DIR: dataDir });
    return { code: await ended, ...output };
  };
  const keyFile = () => readFile(join(dataDir, 'secret.key'), 'utf8');
  const body = { url: 'http://127.0.0.1:9/', events: ['payment.created'] };
  const headers = { 'idempotency-key': 'one' };
  const first = await start();
  const created = await first.api('POST', '/v1/webhooks', body, headers);
  const before = await keyFile();
  const refused = await rotate();
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /A gateway is running on DATA_DIR[\s\S]*Stop the gateway/);
  assert.equal(await keyFile(), before);
  first.gateway.child.kill('SIGTERM');
  await first.gateway.ended;
  const done = await rotate();
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /1 was re-encrypted\.\nThe old key is gone\. Start the gateway/);
  assert.notEqual(await keyFile(), before);
  assert.ok(!(await readdir(dataDir)).some((name) => name.startsWith('secret.key.')));
  const second = await start();
  const again = await second.api('POST', '/v1/webhooks', body, headers);
  assert.equal(again.text, created.text);
});
