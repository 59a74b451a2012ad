// A merchant's program, which package.test.ts runs in a project that has only the package.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookVerificationError, Zimbo, ZimboError } from '@zimbo/sdk';

const zimbo = new Zimbo(process.env.ZIMBO_API_KEY, { baseUrl: process.env.ZIMBO_URL });

/** Events of the payment by type, once they are there and genuine. */
const events = new Map();
let secret = '';
const receiver = createServer(async (request, response) => {
  const rawBody = await buffer(request);
  const forged = verifyWebhook(`${rawBody.toString()} `, request.headers, secret);
  await assert.rejects(forged, WebhookVerificationError);
  const event = await verifyWebhook(rawBody, request.headers, secret);
  response.writeHead(200, { connection: 'close' }).end();
  events.set(event.type, event);
  receiver.emit(event.type);
});
const arrives = async (type) =>
  events.get(type) ?? once(receiver, type).then(() => events.get(type));

receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const endpoint = await zimbo.webhooks.create({
  url: `http://127.0.0.1:${receiver.address().port}/`,
  events: ['payment.debited', 'refund.succeeded'],
});
secret = endpoint.secret;

const body = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };
const payment = await zimbo.payments.create(body);
const debited = await arrives('payment.debited');
assert.equal(debited.data.id, payment.id);
assert.deepEqual(debited.data, await zimbo.payments.get(payment.id));
assert.deepEqual(await zimbo.events.get(debited.id), debited);

const refund = await zimbo.refunds.create({ paymentIntentId: payment.id, amount: 2_500 });
const succeeded = await arrives('refund.succeeded');
assert.equal(succeeded.data.id, refund.id);

const ids = [payment.id];
for (let count = 0; count < 4; count++) ids.unshift((await zimbo.payments.create(body)).id);
const walked = [];
for await (const { id } of zimbo.payments.list({ limit: 2 })) walked.push(id);
assert.deepEqual(walked, ids);

const excess = zimbo.refunds.create({ paymentIntentId: payment.id, amount: 7_501 });
await assert.rejects(excess, (error) => {
  assert.ok(error instanceof ZimboError);
  assert.equal(error.code, 'REFUND_EXCEEDS_PAYMENT');
  assert.equal(error.status, 409);
  assert.match(error.requestId, /./);
  return true;
});
await zimbo.webhooks.delete(endpoint.id);
receiver.close();
console.log(`Node ${process.versions.node.split('.')[0]}: done`);
