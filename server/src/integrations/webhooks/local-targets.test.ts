import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receive, requestTo, senderFor } from '../../../test/support/webhook-receiver.ts';
import { LocalTargets } from './local-targets.ts';

test('reaches a name that means this machine, and no name that means the local network', async (t) => {
  const receiver = await receive(t, (_request, response) => response.end());
  const { port } = new URL(receiver.url);
  const addresses: Record<string, string> = {
    'here.example': '127.0.0.1',
    'router.example': '10.0.0.1',
    'metadata.example': '169.254.169.254',
    'any.example': '0.0.0.0',
  };
  const sender = senderFor(t, {
    localTargets: new LocalTargets(() => false),
    lookup: async (name) => [{ address: addresses[name]! }],
  });
  for (const name of Object.keys(addresses)) {
    const { error, delivered } = await sender.send(requestTo(`http://${name}:${port}/hook`));
    if (name === 'here.example') assert.equal(delivered, true);
    else assert.match(error ?? '', /^the target address is not public/, name);
  }
});

test('reaches no port of the gateway itself', () => {
  const targets = new LocalTargets((port) => port === 3000);
  const at = (port: number) => targets.isAllowed('127.0.0.1', { origin: 'http://localhost', port });
  assert.deepEqual([at(3000), at(3001)], [false, true]);
});
