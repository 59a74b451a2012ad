import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { verifyWebhook } from '../../../../sdk/typescript/src/index.ts';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { eventually, reach, testGateway } from '../../../test/support/gateway.ts';
import { type Received, type Receiver, testReceiver } from '../../../test/support/receiver.ts';
import { sharedGateway } from '../../../test/support/shared-gateway.ts';
import { program, runZimbo } from '../../../test/support/zimbo.ts';
import { objectOf } from './event-object.ts';

const okPhone = '+2389912345';
const poorPhone = '+2389910049';

async function listening(
  context: TestContext,
  { url, key }: { url: string; key: string },
  receiver: Receiver,
  ...args: string[]
) {
  const environment = { ZIMBO_URL: url, ZIMBO_API_KEY: key };
  const zimbo = runZimbo(context, ['listen', '--forward-to', receiver.url, ...args], environment);
  const [, secret] = await zimbo.says(/Signing secret: (whsec_\S+)/);
  return { ...zimbo, secret: secret! };
}

const typesOf = (received: Received[]) => received.map(({ event }) => event.type);

const received = (receiver: Receiver, count: number) =>
  eventually(`${count} events arrive`, () => receiver.received.length >= count);

test('forwards events to a local server without an endpoint, signed like webhooks', async (context) => {
  const gateway = await sharedGateway();
  const { zimbo } = gateway;
  const before = await zimbo.payments.create({
    amount: 1,
    operator: 'MOCK',
    operatorPhone: okPhone,
  });
  await reach(zimbo.payments, before.id, 'DEBITED');
  const receiver = await testReceiver(context);
  const { secret, says, child, ended } = await listening(context, gateway, receiver);
  const { id } = await zimbo.payments.create({
    amount: 2,
    operator: 'MOCK',
    operatorPhone: okPhone,
  });
  await received(receiver, 2);
  const events = await Promise.all(
    receiver.received.map(({ raw, headers }) => verifyWebhook(raw, headers, secret)),
  );
  assert.deepEqual(
    events.map((event) => [event.type, objectOf(event)]),
    [
      ['payment.created', id],
      ['payment.debited', id],
    ],
  );
  assert.deepEqual(events[1], await zimbo.events.get(events[1]!.id));
  const [first, second] = receiver.received.map(({ headers }) => headers);
  assert.match(String(first!['webhook-signature']), /^v1,/);
  assert.ok(Number(first!['x-service-sequence']) < Number(second!['x-service-sequence']));
  await says(
    new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}payment\\.debited +${id} {2}200 {2}\\d+ ms$`, 'm'),
  );
  child.kill('SIGINT');
  assert.equal(await ended, 0);
});

test('forwards only the requested types, signed with the given secret', async (context) => {
  const gateway = await sharedGateway();
  const receiver = await testReceiver(context);
  const given = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const options = ['--secret', given, '--events', 'payment.failed,refund.failed'];
  const { secret } = await listening(context, gateway, receiver, ...options);
  assert.equal(secret, given);
  for (const operatorPhone of [okPhone, poorPhone]) {
    const body = { amount: 1, operator: 'MOCK', operatorPhone } as const;
    const { id } = await gateway.zimbo.payments.create(body);
    const status = operatorPhone === okPhone ? 'DEBITED' : 'FAILED';
    await reach(gateway.zimbo.payments, id, status);
  }
  await received(receiver, 1);
  const [{ raw, headers }] = receiver.received as [Received];
  assert.equal((await verifyWebhook(raw, headers, given)).type, 'payment.failed');
  assert.deepEqual(typesOf(receiver.received), ['payment.failed']);
});

test('retries an event that the server refuses, without delaying others', async (context) => {
  const gateway = await sharedGateway();
  const receiver = await testReceiver(context);
  receiver.answer = (index) => (index === 0 ? 503 : 200);
  const { says } = await listening(context, gateway, receiver);
  const body = { amount: 1, operator: 'MOCK', operatorPhone: okPhone } as const;
  const { id } = await gateway.zimbo.payments.create(body);
  await says(new RegExp(`payment\\.created +${id} {2}503 {2}\\d+ ms, again in 1 s`));
  await received(receiver, 3);
  assert.deepEqual(typesOf(receiver.received), [
    'payment.created',
    'payment.debited',
    'payment.created',
  ]);
  const [first, , third] = receiver.received;
  assert.deepEqual(third!.raw, first!.raw);
  await says(new RegExp(`payment\\.created +${id} {2}200`));
});

test('reports a server that is down, and lists its waiting events at the end', async (context) => {
  const gateway = await sharedGateway();
  const { zimbo } = gateway;
  const nowhere = {
    ...(await testReceiver(context)),
    url: `http://127.0.0.1:${await closedPort()}/`,
  };
  const { child, ended, says } = await listening(context, gateway, nowhere);
  const body = { amount: 1, operator: 'MOCK', operatorPhone: okPhone } as const;
  const { id, createdAt } = await zimbo.payments.create(body);
  await says(/payment\.created .* nothing is listening there {2}\d+ ms, again in 1 s/);
  await says(/payment\.debited .* nothing is listening there/);
  child.kill('SIGINT');
  assert.equal(await ended, 0);
  const [, since] = await says(/To resume here: --since (\S+)/);
  assert.equal(since, createdAt);

  const receiver = await testReceiver(context);
  await listening(context, gateway, receiver, '--since', since!);
  await received(receiver, 2);
  assert.deepEqual(typesOf(receiver.received), ['payment.created', 'payment.debited']);
  assert.equal(receiver.received[0]!.event.data.id, id);
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A network that can fail, between the command line and the gateway. */
async function network(context: TestContext, gatewayUrl: string) {
  const sockets = new Set<Socket>();
  const target = Number(new URL(gatewayUrl).port);
  const server = createServer((socket) => {
    const other = connect(target, '127.0.0.1');
    for (const one of [socket, other]) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        socket.destroy();
        other.destroy();
      });
    }
    socket.pipe(other).pipe(socket);
  });
  const open = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  cleanUp(context, () => (server.listening ? cut() : undefined));
  const port = await open(0);
  return { url: `http://127.0.0.1:${port}`, cut, mend: () => open(port) };
}

test('resumes when the gateway answers again', async (context) => {
  const gateway = await sharedGateway();
  const { zimbo } = gateway;
  const receiver = await testReceiver(context);
  const { url, cut, mend } = await network(context, gateway.url);
  const { says } = await listening(context, { ...gateway, url }, receiver);
  const pay = async () => {
    const body = { amount: 1, operator: 'MOCK', operatorPhone: okPhone } as const;
    const { id } = await zimbo.payments.create(body);
    await reach(zimbo.payments, id, 'DEBITED');
    return id;
  };
  const before = await pay();
  await received(receiver, 2);
  await cut();
  await says(/The gateway does not answer; retrying until it does\./);
  const meanwhile = await pay();
  await mend();
  await says(/The gateway answers again\./);
  await received(receiver, 4);
  assert.deepEqual(
    receiver.received.map(({ event }) => event.data.id),
    [before, before, meanwhile, meanwhile],
  );
});

test('prints a line of JSON for each attempt with --json', async (context) => {
  const gateway = await sharedGateway();
  const receiver = await testReceiver(context);
  receiver.answer = () => 204;
  const environment = { ZIMBO_URL: gateway.url, ZIMBO_API_KEY: gateway.key };
  const args = ['listen', '--forward-to', receiver.url, '--json'];
  const { output, child, ended } = runZimbo(context, args, environment);
  await eventually('it has begun', () => output.stderr.includes('Forwarding'));
  const body = { amount: 1, operator: 'MOCK', operatorPhone: okPhone } as const;
  const { id } = await gateway.zimbo.payments.create(body);
  await eventually('two lines', () => output.stdout.split('\n').length > 2);
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
  const lines = output.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { eventId, durationMs, ...rest } = lines[0];
  assert.match(eventId, /^evt_/);
  assert.ok(durationMs >= 0);
  const expected = { type: 'payment.created', objectId: id, delivered: true, status: 204 };
  assert.deepEqual(rest, { ...expected, error: null, nextInMs: null });
});

test('ends with the npx that started it', async (context) => {
  const { url, key } = await testGateway(context);
  // As with npx: a shell in between gets the signal and passes nothing on.
  const command = `"${process.execPath}" "${program}" listen --forward-to localhost:1; true`;
  const environment = { ZIMBO_URL: url, ZIMBO_API_KEY: key, npm_command: 'exec' };
  const shell = spawn('sh', ['-c', command], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
    // A process group of its own, so that the test can end every process.
    detached: true,
  });
  let output = '';
  let isOver = false;
  cleanUp(context, () => isOver || process.kill(-shell.pid!, 'SIGKILL'));
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  // All processes that held the other end have ended.
  shell.stdout.on('end', () => (isOver = true));
  await eventually('it has begun', () => output.includes('Forwarding'));
  shell.kill('SIGTERM');
  await eventually('it has ended as well', () => isOver);
});

test('ends if the key may not read events', async (context) => {
  const { url } = await sharedGateway();
  const key = `sk_test_${'a'.repeat(32)}`;
  const args = ['listen', '--forward-to', 'localhost:1'];
  const { ended, output } = runZimbo(context, args, { ZIMBO_URL: url, ZIMBO_API_KEY: key });
  assert.equal(await ended, 1);
  assert.match(output.stderr, /^UNAUTHORIZED/);
});
