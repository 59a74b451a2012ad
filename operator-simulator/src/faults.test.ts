import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '../../server/test/support/eventually.ts';
import { callbackReceiver, testSimulator } from '../test/support.ts';
import { Faults, parseFaults, type Rates } from './faults.ts';

test('reads shares, and explains invalid ones', () => {
  assert.deepEqual(parseFaults('answer-lost=0.05, slow=0.5'), { 'answer-lost': 0.05, slow: 0.5 });
  assert.deepEqual(parseFaults(''), {});
  assert.throws(() => parseFaults('fire=1'), /"fire" is no fault/);
  assert.throws(() => parseFaults('slow'), /share from 0 to 1/);
  assert.throws(() => parseFaults('slow=2'), /share from 0 to 1/);
  assert.throws(() => parseFaults('slow=0.6,reset=0.6'), /more than 1/);
});

test('makes the same choices for the same seed, in about the given shares', () => {
  const rates: Rates = { 'answer-lost': 0.1, reset: 0.2 };
  const chosen = (seed: number) => {
    const faults = new Faults(rates, seed);
    return Array.from({ length: 10_000 }, () => faults.ofRequest());
  };
  const first = chosen(7);
  assert.deepEqual(chosen(7), first);
  assert.notDeepEqual(chosen(8), first);
  const share = (name: string) => first.filter((one) => one === name).length / first.length;
  assert.ok(Math.abs(share('answer-lost') - 0.1) < 0.02);
  assert.ok(Math.abs(share('reset') - 0.2) < 0.02);
});

test('keeps the faults of one group independent of the others', () => {
  const chosen = (rates: Rates) => {
    const faults = new Faults({ queued: 0.3, 'late-callback': 0.3, ...rates }, 7);
    return Array.from({ length: 100 }, () => {
      const request = faults.ofRequest();
      if (request !== undefined) faults.isBefore();
      return [faults.ofAcceptance(['queued']), faults.ofCallback()];
    });
  };
  assert.deepEqual(chosen({ reset: 0.5 }), chosen({}));
});

test('counts no impossible fault', () => {
  const faults = new Faults({ 'reused-id': 1 }, 7);
  assert.equal(faults.ofAcceptance(['queued', 'other-amount']), undefined);
  assert.deepEqual(faults.played, {});
  assert.equal(faults.ofAcceptance(['reused-id']), 'reused-id');
});

/** The client's view, and the number of debits for twenty requests. */
async function befalls(context: Parameters<typeof testSimulator>[0], rates: Rates) {
  const simulator = await testSimulator(context, (options) => {
    options.faults = rates;
  });
  const { client } = simulator;
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () =>
      client.pay('345').catch((error: Error) => (error.cause as Error).message),
    ),
  );
  await eventually('the debits', async () => (await client.totals()).totals[0]?.pending !== 1);
  const [total] = (await client.totals()).totals;
  return { outcomes, debits: (total?.debits ?? 0) + (total?.pending ?? 0) };
}

test('does nothing for a lost request, and debits before a lost answer', async (context) => {
  const lost = await befalls(context, { 'lost-request': 1 });
  assert.ok(lost.outcomes.every((one) => typeof one === 'string'));
  assert.equal(lost.debits, 0);
  const unanswered = await befalls(context, { 'answer-lost': 1 });
  assert.ok(unanswered.outcomes.every((one) => typeof one === 'string'));
  assert.equal(unanswered.debits, 20);
});

test('sends errors and resets before or after the debit', async (context) => {
  const { outcomes, debits } = await befalls(context, { 'error-5xx': 1 });
  const statuses = new Set(outcomes.map((one) => typeof one !== 'string' && one.status));
  assert.deepEqual(
    [...statuses].sort((one, other) => Number(one) - Number(other)),
    [500, 503],
  );
  assert.ok(debits > 0 && debits < 20, `${debits} debits`);
  const reset = await befalls(context, { reset: 1 });
  assert.ok(reset.outcomes.every((one) => typeof one === 'string'));
  assert.ok(reset.debits > 0 && reset.debits < 20, `${reset.debits} debits`);
});

test('answers with a page after the debit', async (context) => {
  const { outcomes, debits } = await befalls(context, { 'wrong-content-type': 1 });
  for (const one of outcomes) assert.match(String(typeof one !== 'string' && one.type), /html/);
  assert.equal(debits, 20);
});

test('gives the right answer slowly', async (context) => {
  const { outcomes, debits } = await befalls(context, { slow: 1 });
  assert.ok(outcomes.every((one) => typeof one !== 'string' && one.status === 202));
  assert.equal(debits, 20);
});

for (const [name, statuses] of [
  ['lost-callback', []],
  ['duplicate-callback', ['completed', 'completed']],
  ['reordered-callback', ['completed', 'pending']],
  ['late-callback', ['completed']],
] as const) {
  test(`${name}: the callbacks say ${statuses.join(', ') || 'nothing'}`, async (context) => {
    const { client } = await testSimulator(context, (options) => {
      options.faults = { [name]: 1 };
    });
    const { url: callbackUrl, taken } = await callbackReceiver(context);
    const reference = randomUUID();
    await client.pay('345', { reference, callbackUrl });
    await eventually('the end', async () => {
      const { totals, openCallbacks } = await client.totals();
      return totals[0].debits === 1 && openCallbacks === 0;
    });
    assert.deepEqual(
      taken.map(({ body }) => body.transactionStatus),
      statuses,
    );
    assert.deepEqual((await client.totals()).faults, { [name]: 1 });
  });
}
