import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addMerchantCommands } from '../../src/cli/merchants.ts';
import { adminApi } from '../support/admin.ts';
import { aCell, commandRunner, openSchema, testHome } from '../support/cell-installation.ts';
import { anotherGateway } from '../support/gateway.ts';

/** A home, and gateways that come and go while cells are created. */
async function installation(context: TestContext) {
  const home = await testHome(context);
  const environment = {
    DATABASE_URL: home.url,
    ZIMBO_SECRET_KEY: home.secretKey.toString('base64'),
  };
  const zimbo = commandRunner(environment);
  const start = (more: Record<string, string> = {}) =>
    anotherGateway(context, home.url, { environment: { ...environment, ...more } });
  const create = () =>
    zimbo(addMerchantCommands, 'merchants', 'create', '--cell', 'north', '--name', 'Loja');
  const north = () => openSchema(context, home.url, 'north');
  return { ...home, start, createMerchant: create, north };
}

const merchants = { text: 'SELECT FROM merchants' };

test('admits merchants to a cell only once all running gateways serve it', async (context) => {
  const made = await installation(context);
  const { start, createMerchant } = made;
  const { gateway: before } = await start();
  await made.create(aCell('north'));
  const north = made.north();
  const unserved = new RegExp(
    `^Not every gateway serves the cell north yet: all on \\S+ \\(pid ${process.pid}\\) would refuse`,
    'm',
  );
  const refused = await createMerchant();
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, unserved);
  assert.match(refused.stderr, /^Start all gateways again/m);
  // One gateway that serves the cell is not enough.
  await start();
  assert.match((await createMerchant()).stderr, unserved);
  assert.deepEqual(await north.query(merchants), []);
  await before.stop();
  assert.equal((await createMerchant()).code, 0);
  assert.equal((await north.query(merchants)).length, 1);
});

test('refuses staff programs as well, until all gateways serve the cell', async (context) => {
  const made = await installation(context);
  const { gateway: before } = await made.start();
  await made.create(aCell('north'));
  const { url } = await made.start();
  const admin = await adminApi({ url, database: made.database });
  const create = () =>
    admin('POST', '/admin/v1/merchants', { name: 'Loja' }, { 'zimbo-cell': 'north' });
  const refused = await create();
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'INVALID_STATE']);
  assert.match(refused.body.error.message, /^Not every gateway serves the cell north yet/);
  await before.stop();
  assert.equal((await create()).status, 200);
});

test('admits no merchant to a cell without a worker, unless no gateway runs', async (context) => {
  const made = await installation(context);
  await made.create(aCell('north'));
  const { gateway } = await made.start({ ZIMBO_CELLS: 'home' });
  const refused = await made.createMerchant();
  assert.match(refused.stderr, /^No gateway does the work of the cell north: payments in it/m);
  await gateway.stop();
  assert.equal((await made.createMerchant()).code, 0);
});
