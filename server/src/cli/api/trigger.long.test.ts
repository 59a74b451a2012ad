import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiCommands } from '../../../test/support/cli-api.ts';
import { testKey } from '../../../test/support/gateway.ts';
import { testReceiver } from '../../../test/support/receiver.ts';
import { runZimbo } from '../../../test/support/zimbo.ts';
import { testEventType } from '../../integrations/events/event.ts';
import { triggeredTypes } from './trigger.ts';

const quick = {
  environment: { PAYMENT_EXPIRY_SECONDS: '1', PAYMENT_EXPIRY_GRACE_SECONDS: '0' },
};

test('triggers each type of event', async (context) => {
  const { gateway, zimbo } = await apiCommands(context, quick);
  const { url } = await testReceiver(context);
  await gateway.zimbo.webhooks.create({ url, events: ['payment.settled'] });
  // One after the other, because settlements of one currency interfere with each other.
  for (const type of triggeredTypes) {
    const { code, stdout, stderr } = await zimbo('trigger', type, '--json');
    assert.equal(code, 0, `${type}: ${stderr}`);
    const event = JSON.parse(stdout);
    assert.equal(event.type, type);
    assert.deepEqual(await gateway.zimbo.events.get(event.id), event);
    const [object] = type.split('.');
    const named = {
      payment: 'pi',
      refund: 're',
      checkout: 'cs',
      settlement: 'se',
      webhook: 'we',
      disbursement: 'di',
    };
    const prefix = named[object as keyof typeof named];
    assert.match(event.data.id, new RegExp(`^${prefix}_`));
    // It reports the objects created on the way.
    if (type !== testEventType && object !== 'settlement')
      assert.match(stderr, new RegExp(event.data.id));
  }
});

test('prints the event and the resource for people', async (context) => {
  const { zimbo } = await apiCommands(context);
  const { code, stdout, stderr } = await zimbo('trigger', 'payment.failed');
  assert.equal(code, 0);
  assert.match(stdout, /^Event +evt_\w+\nType +payment\.failed\n/);
  assert.match(stdout, /^failureCode +INSUFFICIENT_FUNDS$/m);
  assert.match(stderr, /^Payment pi_\w+ of 100\.00 CVE from \+2389910049\.\n$/);
});

test('does nothing with a live key', async (context) => {
  const { gateway } = await apiCommands(context);
  const key = await testKey(gateway.database, 'live');
  const environment = { ZIMBO_URL: gateway.url, ZIMBO_API_KEY: key };
  const { ended, output } = runZimbo(context, ['trigger', 'payment.debited'], environment);
  assert.equal(await ended, 1);
  assert.match(output.stderr, /^This is a live key: it would move real money\.\n/);
  const [counted] = await gateway.database.query<{ count: number }>({
    text: 'SELECT count(*)::integer AS count FROM payments',
  });
  assert.equal(counted?.count, 0);
});

test('refuses a test event without an endpoint, and says what to do', async (context) => {
  const { zimbo } = await apiCommands(context);
  const { code, stderr } = await zimbo('trigger', 'webhook.test');
  assert.equal(code, 1);
  assert.match(stderr, /There is no ACTIVE endpoint .*\.\nCreate one: zimbo webhooks create/);
});
