import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyWebhook } from '../../../../sdk/typescript/src/index.ts';
import { apiCommands, unknown } from '../../../test/support/cli-api.ts';
import { eventually, reach } from '../../../test/support/gateway.ts';
import { testReceiver } from '../../../test/support/receiver.ts';
import { terminalCode } from '../../../test/support/zimbo.ts';

const pay = ['payments', 'create', '--operator', 'MOCK', '--operator-phone'];

test('creates, shows, refunds and settles a payment, and shows it in the balance', async (context) => {
  const { gateway, json } = await apiCommands(context);
  const { zimbo } = gateway;
  const options = ['--amount', '12345', '--external-id', 'order 17'];
  const data = ['--metadata', 'table=4', '--metadata', 'note=a=b'];
  const made = await json(...pay, '+238 991 23 45', ...options, ...data);
  assert.equal(made.amount, '12345');
  assert.equal(made.externalId, 'order 17');
  assert.deepEqual(made.metadata, { table: '4', note: 'a=b' });
  await reach(zimbo.payments, made.id, 'DEBITED');
  assert.deepEqual(await json('payments', 'get', made.id), await zimbo.payments.get(made.id));

  const refund = await json('refunds', 'create', made.id, '--amount', '345', '--reason', 'cold');
  assert.equal(refund.amount, '345');
  assert.equal(refund.reason, 'cold');
  await reach(zimbo.refunds, refund.id, 'SUCCEEDED');
  assert.deepEqual(await json('refunds', 'get', refund.id), await zimbo.refunds.get(refund.id));
  const ofPayment = await json('refunds', 'list', '--payment-intent-id', made.id);
  assert.deepEqual(ofPayment, [await zimbo.refunds.get(refund.id)]);

  assert.deepEqual(await json('balance'), await zimbo.balance.get());
  const settlement = await json('settlements', 'process', '--currency', 'CVE');
  assert.equal(settlement.netAmount, String(12_345 - 247 - 345));
  await reach(zimbo.settlements, settlement.id, 'COMPLETED');
  const settled = await zimbo.settlements.get(settlement.id);
  assert.deepEqual(await json('settlements', 'get', settlement.id), settled);
  assert.deepEqual(await json('settlements', 'history', '--status', 'COMPLETED'), [settled]);
  assert.equal(await json('settlements', 'process'), null);
});

test('charges once for an idempotency key', async (context) => {
  const { json } = await apiCommands(context);
  const options = ['--amount', '500', '--idempotency-key', 'order 18'];
  const first = await json(...pay, '+2389912345', ...options);
  assert.equal((await json(...pay, '+2389912345', ...options)).id, first.id);
});

test('cancels or confirms a waiting payment', async (context) => {
  const { gateway, json } = await apiCommands(context);
  const waiting = async () => {
    const { id } = await json(...pay, '+2389910159', '--amount', '500');
    await reach(gateway.zimbo.payments, id, 'USER_CONFIRMING');
    return id;
  };
  const [one, other] = await Promise.all([waiting(), waiting()]);
  assert.equal((await json('payments', 'cancel', one)).status, 'CANCELLED');
  assert.equal((await json('payments', 'confirm', other)).id, other);
  await reach(gateway.zimbo.payments, other, 'DEBITED');
});

test('payment links', async (context) => {
  const { json } = await apiCommands(context);
  const bounds = ['--min-amount', '10000', '--max-amount', '500000'];
  const link = await json('payment-links', 'create', '--description', 'Donativo', ...bounds);
  assert.match(link.url, /\/pay\/link\//);
  const off = await json('payment-links', 'update', link.id, '--active', 'false');
  assert.equal(off.active, false);
  assert.deepEqual(await json('payment-links', 'list', '--active', 'false'), [off]);
  assert.deepEqual(await json('payment-links', 'get', link.id), off);
});

test('manages products and checkout sessions', async (context) => {
  const { json } = await apiCommands(context);
  const product = await json('products', 'create', '--name', 'Café', '--price', '15000');
  assert.equal(product.price, '15000');
  const changed = await json('products', 'update', product.id, '--active', 'false');
  assert.equal(changed.active, false);
  assert.deepEqual(await json('products', 'list', '--active', 'false'), [changed]);
  assert.deepEqual(await json('products', 'list', '--active', 'true'), []);
  assert.deepEqual(await json('products', 'delete', product.id), { id: product.id, deleted: true });
  assert.deepEqual(await json('products', 'list'), []);

  const items = ['--item', '2xCafé=15000', '--item', 'Pastel=de nata=12000'];
  const order = ['--external-id', 'order 18'];
  const session = await json('checkout', 'create', ...items, ...order);
  assert.equal(session.amount, '42000');
  assert.equal(session.externalId, 'order 18');
  assert.deepEqual(await json('checkout', 'list', ...order), [session]);
  assert.deepEqual(await json('checkout', 'list', '--external-id', 'order 1'), []);
  assert.deepEqual(
    session.items.map((item: Record<string, unknown>) => [item.name, item.quantity]),
    [
      ['Café', 2],
      ['Pastel=de nata', 1],
    ],
  );
  assert.deepEqual(await json('checkout', 'get', session.id), session);
  assert.equal((await json('checkout', 'expire', session.id)).status, 'EXPIRED');
  assert.deepEqual(await json('checkout', 'list', '--status', 'OPEN'), []);
});

test('creates, tests, shows, redelivers to, changes and deletes an endpoint', async (context) => {
  const { json, gateway } = await apiCommands(context);
  const receiver = await testReceiver(context);
  const create = ['webhooks', 'create', '--url', receiver.url];
  const endpoint = await json(...create, '--events', 'payment.created, payment.debited');
  assert.deepEqual(endpoint.events, ['payment.created', 'payment.debited']);
  const tested = await json('webhooks', 'test', endpoint.id);
  const { deliveries } = gateway.zimbo.webhooks;
  const delivered = { get: (id: string) => deliveries.get(endpoint.id, id) };
  await reach(delivered, tested.id, 'SUCCEEDED');
  const { raw, headers } = receiver.received[0]!;
  assert.equal((await verifyWebhook(raw, headers, endpoint.secret)).type, 'webhook.test');

  const [listed] = await json('webhooks', 'deliveries', endpoint.id, '--status', 'SUCCEEDED');
  assert.equal(listed.id, tested.id);
  assert.deepEqual(await json('webhooks', 'delivery', endpoint.id, tested.id), listed);
  await json('webhooks', 'redeliver', endpoint.id, tested.id);
  await reach(delivered, tested.id, 'SUCCEEDED');
  const { id } = await json(...pay, '+2389910159', '--amount', '500');
  await eventually('it is sent', () => receiver.received.length === 3);
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const again = await json('webhooks', 'redeliver', endpoint.id, '--since', hourAgo);
  assert.deepEqual(again, { count: 1 });
  await eventually('it comes again', () => receiver.received.length === 4);
  assert.equal(receiver.received[3]!.event.data.id, id);

  const rotated = await json('webhooks', 'rotate-secret', endpoint.id, '--overlap-hours', '0');
  assert.match(rotated.secret, /^whsec_/);
  assert.notEqual(rotated.secret, endpoint.secret);
  const off = await json('webhooks', 'update', endpoint.id, '--status', 'DISABLED');
  assert.deepEqual(await json('webhooks', 'get', endpoint.id), off);
  assert.deepEqual(await json('webhooks', 'list'), [off]);
  assert.equal((await json('webhooks', 'delete', endpoint.id)).deleted, true);
  assert.deepEqual(await json('webhooks', 'list'), []);
});

test('prints aligned tables, amounts with currency, and a hint at further pages', async (context) => {
  const { gateway, zimbo, json } = await apiCommands(context);
  const { zimbo: client } = gateway;
  const common = { operator: 'MOCK', operatorPhone: '+2389910159' } as const;
  await client.payments.create({ ...common, amount: 123_456_700 / 2 });
  await client.payments.create({ ...common, amount: 500 });
  await client.payments.create({ ...common, amount: 700, operatorPhone: '+244923456159' });
  const { stdout } = await zimbo('payments', 'list', '--limit', '2');
  const [heading, first, second, empty, more] = stdout.split('\n');
  assert.match(heading!, /^ID +STATUS +AMOUNT +OPERATOR +PHONE +FAILURE +AGE$/);
  assert.match(first!, / 7\.00 AOA +MOCK +\+244923456159 +- +\d+ s$/);
  assert.match(second!, / 5\.00 CVE /);
  assert.equal(first!.indexOf('MOCK'), second!.indexOf('MOCK'));
  assert.equal(empty, '');
  const [, last] = /^There are more: --starting-after (pi_\w+)$/.exec(more!)!;
  assert.ok(!stdout.includes(terminalCode));
  const forPrograms = await zimbo('payments', 'list', '--limit', '2', '--json');
  assert.equal(JSON.parse(forPrograms.stdout).length, 2);
  assert.equal(forPrograms.stderr, `There are more: --starting-after ${last}\n`);

  const rest = await json('payments', 'list', '--starting-after', last!);
  assert.equal(rest.length, 1);
  const newer = await zimbo('payments', 'list', '--ending-before', rest[0].id, '--limit', '1');
  assert.match(newer.stdout, new RegExp(`^${last} `, 'm'), 'the one next to it');
  assert.match(newer.stdout, new RegExp(`There are more: --ending-before ${last}`));
  const some = await json('payments', 'list', '--status', 'FAILED,USER_CONFIRMING', '--limit', '5');
  assert.ok(some.every(({ status }: { status: string }) => status !== 'DEBITED'));
  const all = (await zimbo('payments', 'list')).stdout;
  assert.match(all, / 617,283\.50 CVE {2}/);
  assert.match(all, / {7}5\.00 CVE {2}/);
  assert.doesNotMatch(all, /There are more/);
  const one = (await zimbo('payments', 'get', rest[0].id)).stdout;
  assert.match(one, /^amount +617,283\.50 CVE$/m);
  assert.match(one, /^createdAt +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m);
  assert.doesNotMatch(one, /failureCode|null/);
  assert.match((await zimbo('refunds', 'list')).stdout, /^There are none\.$/m);
});

test('lists events by type, and shows them with their objects', async (context) => {
  const { gateway, zimbo, json } = await apiCommands(context);
  const { id } = await gateway.zimbo.products.create({ name: 'Café', price: 1 });
  assert.match(id, /^pr_/);
  const payment = await json(...pay, '+2389910049', '--amount', '500');
  await reach(gateway.zimbo.payments, payment.id, 'FAILED');
  const [failed] = await json('events', 'list', '--type', 'payment.failed');
  assert.equal(failed.data.id, payment.id);
  assert.deepEqual(await json('events', 'get', failed.id), failed);
  const { stdout } = await zimbo('events', 'list');
  assert.match(stdout, new RegExp(`^${failed.id} +payment\\.failed +${payment.id} `, 'm'));
  const shown = (await zimbo('events', 'get', failed.id)).stdout;
  assert.match(shown, /^Type +payment\.failed$/m);
  assert.match(shown, /^failureCode +INSUFFICIENT_FUNDS$/m);
});

test('exits with 1 and prints code and message when the gateway refuses', async (context) => {
  const { zimbo, gateway, environment } = await apiCommands(context);
  const refused = await Promise.all([
    zimbo('payments', 'get', `pi_${unknown}`),
    zimbo('payments', 'list', '--status', 'SOLD'),
    zimbo('refunds', 'create', `pi_${unknown}`, '--json'),
  ]);
  assert.deepEqual(
    refused.map(({ code, stdout }) => ({ code, stdout })),
    refused.map(() => ({ code: 1, stdout: '' })),
  );
  assert.match(refused[0].stderr, /^NOT_FOUND: \S.*\n"zimbo payments list" shows them all\.\n$/);
  assert.match(refused[1].stderr, /^VALIDATION_ERROR: status must be one of /);
  assert.match(refused[2].stderr, /^NOT_FOUND: \S/);
  assert.ok(gateway.url.startsWith(environment.ZIMBO_URL));
});
