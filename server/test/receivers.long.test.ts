/** The receivers of examples/receivers, as processes, at a real gateway: shops copy them, so they must be right. */
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { canary, forgedCases, signed } from './support/deliveries.ts';
import { gateTo } from './support/gate.ts';
import { eventually, reach, type TestGateway } from './support/gateway.ts';
import { lacks } from './support/pages.ts';
import { type Program, prepare, programs, startReceiver } from './support/receivers.ts';
import { sharedGateway } from './support/shared-gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
const largestBody = 4 * 1024 * 1024;

/** A receiver, and the gateway's endpoint that leads to it. */
type World = Awaited<ReturnType<typeof openWorld>>;

async function openWorld(
  context: TestContext,
  program: Program,
  folder: string,
  gateway: TestGateway,
) {
  const { api, url, key } = gateway;
  const events = ['payment.debited', 'payment.failed', 'refund.succeeded', 'checkout.expired'];
  // The secret comes with the endpoint, but the receiver needs it to start.
  const { body: endpoint } = await api('POST', '/v1/webhooks', {
    url: 'http://127.0.0.1:9/',
    events,
  });
  const gate = await gateTo(context, url);
  const settings = {
    ZIMBO_URL: gate.url,
    ZIMBO_API_KEY: key,
    ZIMBO_WEBHOOK_SECRET: endpoint.secret,
  };
  const receiver = await startReceiver(context, program, folder, settings);
  await api('PATCH', `/v1/webhooks/${endpoint.id}`, { url: receiver.url });
  return { ...gateway, endpoint, receiver, gate };
}

async function pay({ zimbo }: World, operatorPhone: string = payment.operatorPhone) {
  return (await zimbo.payments.create({ ...payment, operatorPhone })).id;
}

const records = ({ receiver }: World, id: string, status: string) =>
  eventually(`${id} is ${status}`, () => receiver.statusOf(id) === status);

/** Everything that has arrived is handled. */
const comesToRest = ({ receiver }: World) =>
  eventually('the inbox is empty', () => receiver.names('inbox').length === 0);

/** The delivery of an object's event to the endpoint, once the receiver has accepted it. */
async function accepted({ api, endpoint }: World, objectId: string, type: string) {
  return eventually(`${type} of ${objectId} is accepted`, async () => {
    const events = (await api('GET', `/v1/events?type=${type}`)).body.data;
    const event = events.find(({ data }: { data: { id: string } }) => data.id === objectId);
    const path = `/v1/webhooks/${endpoint.id}/deliveries?status=SUCCEEDED&limit=100`;
    const deliveries = (await api('GET', path)).body.data;
    return deliveries.find(({ eventId }: { eventId: string }) => eventId === event?.id);
  });
}

async function recordsEachOnce(world: World): Promise<string> {
  const { api, zimbo, endpoint, receiver, gate } = world;
  const debited = await pay(world);
  await records(world, debited, 'DEBITED');
  const failed = await pay(world, '+2389910049');
  await records(world, failed, 'FAILED');
  const refund = await zimbo.refunds.create({ paymentIntentId: debited, amount: 1_000 });
  await records(world, refund.id, 'SUCCEEDED');
  const session = await zimbo.checkout.sessions.create({ amount: 500 });
  await zimbo.checkout.sessions.expire(session.id);
  await records(world, session.id, 'EXPIRED');
  const { id, eventId } = await accepted(world, debited, 'payment.debited');
  const path = `/v1/webhooks/${endpoint.id}/deliveries/${id}`;
  await api('POST', `${path}/redeliver`);
  await eventually('it arrives again', async () => {
    const { body } = await api('GET', path);
    return body.status === 'SUCCEEDED' && body.attempts.length === 2;
  });
  const { body: test } = await api('POST', `/v1/webhooks/${endpoint.id}/test`);
  await eventually('the test event arrives', async () => {
    const { body } = await api('GET', `/v1/webhooks/${endpoint.id}/deliveries/${test.id}`);
    return body.status === 'SUCCEEDED';
  });
  await eventually('it is handled', () => receiver.names('done').includes(test.eventId));
  await comesToRest(world);
  assert.equal(gate.asked.get(`/v1/payments/${debited}`), 1, 'repeated, it is not handled again');
  const { text } = await api('GET', `/v1/events/${eventId}`);
  const body = text.replace(eventId, 'evt_many');
  const headers = signed(endpoint.secret, body);
  const answers = await Promise.all(Array.from({ length: 5 }, () => receiver.post(headers, body)));
  assert.deepEqual([...new Set(answers)], [200], 'the same event several times at once');
  await eventually('it is handled', () => receiver.names('done').includes('evt_many'));
  assert.equal(receiver.told(debited, 'DEBITED'), 1, 'an order is shipped once');
  return eventId;
}

async function refusesForgeries(world: World, eventId: string): Promise<void> {
  const { api, endpoint, receiver } = world;
  const { text } = await api('GET', `/v1/events/${eventId}`);
  const body = text.replaceAll(eventId, 'evt_forged');
  const { secret } = endpoint;
  const before = { headers: signed(secret, body), raw: Buffer.from(body) };
  const { 'another secret': _, ...forged } = forgedCases({
    before,
    oldSecret: secret,
    newSecret: '',
  });
  for (const [name, one] of Object.entries(forged))
    assert.equal(
      await receiver.post(one.headers as Record<string, string>, String(one.body)),
      400,
      name,
    );
  assert.equal(await receiver.post(signed('whsec_another', body), body), 400, 'another secret');
  for (const missing of ['x-service-signature', 'x-service-timestamp']) {
    const { [missing]: _, ...headers } = before.headers;
    assert.equal(await receiver.post(headers, body), 400, `without ${missing}`);
  }
  assert.equal(await receiver.post({}, body), 400, 'without any header');
  const huge = `{"id":"evt_huge","pad":"${'x'.repeat(largestBody)}"}`;
  // The receiver hangs up on a sender that keeps sending, who may notice before the answer.
  for (const headers of [{}, signed(secret, huge)])
    assert.equal((await receiver.post(headers, huge)) ?? 413, 413, 'a huge body');
  assert.equal(existsSync(join(tmpdir(), canary)), false, 'no part of a header is executed');
  assert.deepEqual(receiver.names('inbox'), [], receiver.output());
  assert.ok(!receiver.names('done').some((name) => /forged|huge/.test(name)));
}

async function ignoresTheOrder(world: World): Promise<void> {
  const { api, endpoint, receiver } = world;
  const id = await pay(world);
  await records(world, id, 'DEBITED');
  // The endpoint hears only now how the payment began.
  await api('PATCH', `/v1/webhooks/${endpoint.id}`, {
    events: [...endpoint.events, 'payment.created'],
  });
  const since = new Date(Date.now() - 600_000).toISOString();
  await api('POST', `/v1/webhooks/${endpoint.id}/redeliver`, { since });
  await accepted(world, id, 'payment.created');
  await comesToRest(world);
  assert.equal(receiver.statusOf(id), 'DEBITED');
  assert.equal(receiver.told(id, 'DEBITED'), 1, receiver.output());
}

/** @returns the new secret */
async function acceptsBothSecrets(world: World): Promise<string> {
  const { api, endpoint, receiver } = world;
  const { body: rotated } = await api('POST', `/v1/webhooks/${endpoint.id}/rotate-secret`);
  await records(world, await pay(world), 'DEBITED');
  await receiver.restart({ ZIMBO_WEBHOOK_SECRET: rotated.secret });
  await records(world, await pay(world), 'DEBITED');
  return rotated.secret;
}

async function losesNothing(world: World, secret: string): Promise<void> {
  const { zimbo, receiver, gate } = world;
  gate.isShut = true;
  const id = await pay(world);
  await reach(zimbo.payments, id, 'DEBITED');
  const { eventId } = await accepted(world, id, 'payment.debited');
  // The payment has two events.
  await eventually('it asks the API again', async () => {
    await receiver.runCron();
    return (gate.asked.get(`/v1/payments/${id}`) ?? 0) > 2;
  });
  assert.equal(receiver.statusOf(id), undefined);
  // Killed, it must find the event on its disk.
  await receiver.restart({ ZIMBO_WEBHOOK_SECRET: secret });
  assert.ok(receiver.names('inbox').includes(eventId));
  gate.isShut = false;
  await receiver.runCron();
  await records(world, id, 'DEBITED');
  await comesToRest(world);
}

/** An empty secret would let everybody sign. */
async function needsItsSecret({ receiver }: World): Promise<void> {
  const body = '{"id":"evt_unsigned"}';
  const status = await receiver.restart({ ZIMBO_WEBHOOK_SECRET: '' }).then(
    () => receiver.post(signed('', body), body),
    (error: Error) => assert.match(error.message, /ZIMBO_WEBHOOK_SECRET is not set/),
  );
  assert.notEqual(status, 200);
}

async function answersForWhatItStores({ receiver }: World, secret: string): Promise<void> {
  // PHP answers 200 for a failure that it displays.
  writeFileSync(join(receiver.folder, 'display.ini'), 'display_errors = 1');
  const PHP_INI_SCAN_DIR = `:${receiver.folder}`;
  await receiver.restart({ ZIMBO_WEBHOOK_SECRET: secret, PHP_INI_SCAN_DIR });
  const inbox = join(receiver.folder, 'inbox');
  rmSync(inbox, { recursive: true });
  writeFileSync(inbox, 'a file instead of a folder');
  const body = '{"id":"evt_unstored"}';
  assert.notEqual(await receiver.post(signed(secret, body), body), 200);
}

for (const program of programs) {
  test(`the receiver in ${program.language} records each genuine event once, in any order, and nothing else`, {
    skip: lacks(program.needs),
    timeout: 600_000,
  }, async (context) => {
    const prepared = await prepare(context, program);
    if ('missing' in prepared) return context.skip(prepared.missing);
    const world = await openWorld(context, program, prepared.folder, await sharedGateway());
    const eventId = await recordsEachOnce(world);
    await refusesForgeries(world, eventId);
    await ignoresTheOrder(world);
    const secret = await acceptsBothSecrets(world);
    await losesNothing(world, secret);
    await needsItsSecret(world);
    await answersForWhatItStores(world, secret);
  });
}
