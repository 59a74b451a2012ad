import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import {
  callbackReceiver,
  clientOf,
  temporaryFolder,
} from '../../../operator-simulator/test/support.ts';
import { eventually } from '../../test/support/eventually.ts';
import { runZimbo } from '../../test/support/zimbo.ts';

const run = (context: TestContext, ...args: string[]) =>
  runZimbo(context, ['operator-simulator', ...args], {});

/** The gateway settings in the banner. */
async function started(context: TestContext, ...args: string[]) {
  const simulator = run(context, '--port', '0', ...args);
  await simulator.says(/_CURRENCIES=.*\n/);
  const found = simulator.output.stdout.matchAll(/^export OPERATOR_(\w+)=(.*)$/gm);
  const settings = Object.fromEntries([...found].map(([, name, value]) => [name!, value!]));
  return { ...simulator, settings };
}

test('identifies itself as a simulator, and prints working settings', async (context) => {
  const dataDir = temporaryFolder(context);
  const first = await started(context, '--data-dir', dataDir);
  assert.match(first.output.stdout, /This is a simulator, not an operator: no money moves\./);
  const { CVMOVEL_URL: url, CVMOVEL_SECRET: secret, CVMOVEL_ACCOUNT: account } = first.settings;
  const client = clientOf(url!, { 'x-api-key': secret! });
  const balance = await client.send('GET', `/accounts/${account}/balance`);
  assert.equal(balance.body.currentBalance, '0');
  first.child.kill('SIGTERM');
  assert.equal(await first.ended, 0);
  assert.match(first.output.stderr, /"msg":"simulated answer"/);
  const again = await started(context, '--data-dir', dataDir, '--operator', 'UNITEL_TMAIS');
  assert.equal(again.settings.UNITEL_TMAIS_SECRET, secret);
});

test('prints the token URL with oauth2', async (context) => {
  const dataDir = temporaryFolder(context);
  const { settings } = await started(context, '--data-dir', dataDir, '--auth', 'oauth2');
  const given = await fetch(settings.CVMOVEL_TOKEN_URL!, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: settings.CVMOVEL_CLIENT_ID!,
      client_secret: settings.CVMOVEL_SECRET!,
    }),
  });
  assert.equal(given.status, 200);
});

test('loses nothing acknowledged and debits nothing twice when killed at any instant', async (context) => {
  const dataDir = temporaryFolder(context);
  const { url: callbackUrl, taken } = await callbackReceiver(context);
  const args = ['--data-dir', dataDir, '--confirm-ms', '20'];
  const acknowledged = new Set<string>();
  const asked: string[] = [];
  for (let kill = 1; kill <= 3; kill++) {
    const { child, ended, settings } = await started(context, ...args);
    const client = clientOf(settings.CVMOVEL_URL!, { 'x-api-key': settings.CVMOVEL_SECRET! });
    const paying = Array.from({ length: 12 }, async () => {
      while (child.exitCode === null && child.signalCode === null) {
        const reference = randomUUID();
        asked.push(reference);
        const given = await client
          .pay('345', { reference, amount: '1', callbackUrl })
          .catch(() => {});
        if (given?.status === 202) acknowledged.add(reference);
      }
    });
    await eventually('some are acknowledged', () => acknowledged.size >= kill * 50);
    child.kill('SIGKILL');
    await Promise.all([...paying, ended]);
  }
  const { settings } = await started(context, ...args);
  const client = clientOf(settings.CVMOVEL_URL!, { 'x-api-key': settings.CVMOVEL_SECRET! });
  for (const reference of acknowledged) {
    assert.equal((await client.send('GET', `/responses/${reference}`)).status, 200, reference);
  }
  for (const reference of asked) await client.pay('345', { reference, amount: '1', callbackUrl });
  await eventually('everything was reported', async () => {
    const { totals, openCallbacks } = await client.totals();
    return totals[0].pending === 0 && openCallbacks === 0;
  });
  const [total] = (await client.totals()).totals;
  assert.equal(total.debits, asked.length);
  assert.equal(total.debitedMinor, String(asked.length * 100));
  const told = new Set(taken.map(({ headers }) => headers['x-correlationid']));
  assert.deepEqual(
    asked.filter((reference) => !told.has(reference)),
    [],
  );
});

test('reports debits and reversals, while the simulator is running and afterwards', async (context) => {
  const dataDir = temporaryFolder(context);
  const times = ['--confirm-ms', '0', '--prompt-ms', '0'];
  const { settings, child, ended } = await started(context, '--data-dir', dataDir, ...times);
  const client = clientOf(settings.CVMOVEL_URL!, { 'x-api-key': settings.CVMOVEL_SECRET! });
  await client.pay('345', { amount: '1234.5' });
  await eventually('the debit', async () => (await client.totals()).totals[0].debits === 1);
  await client.send('POST', '/transactions/SIM0000000001/reversals', {
    type: 'reversal',
    amount: '34.5',
  });
  await eventually('the reversal', async () => (await client.totals()).totals[0].reversals === 1);
  const report = async (...args: string[]) => {
    const reporting = run(context, 'report', '--data-dir', dataDir, ...args);
    assert.equal(await reporting.ended, 0, reporting.output.stderr);
    return reporting.output.stdout;
  };
  assert.match(
    await report(),
    /CVE +1 +1,234\.50 CVE +1 +34\.50 CVE +0 +0\.00 CVE +1,200\.00 CVE +0 +0\n/,
  );
  child.kill('SIGTERM');
  await ended;
  const { totals } = JSON.parse(await report('--json'));
  assert.deepEqual([totals[0].debitedMinor, totals[0].reversedMinor], ['123450', '3450']);
});

test('explains an impossible option', async (context) => {
  const folder = temporaryFolder(context);
  for (const [args, words] of [
    [['report', '--data-dir', folder], /There is no operator simulator data in .*/],
    [['--faults', 'fire=1'], /"fire" is no fault/],
    [['--account', 'x'], /like organisationid@1234/],
    [['--port', '65536'], /integer from 0 to 65535/],
  ] as const) {
    const { ended, output } = run(context, ...args);
    assert.notEqual(await ended, 0);
    assert.match(output.stderr, words);
  }
});
