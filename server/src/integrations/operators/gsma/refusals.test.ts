/** An operator may refuse one customer for reasons of their own; only repeated refusals count as a fault of ours. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { debitRequest, startGsma } from '../../../../test/operators/adapter.ts';
import { type Fault, failure } from '../../../../test/operators/provider.ts';

const pauseMs = 3_600_000;
const isPost = ({ method }: { method: string }) => method === 'POST';

const refusals: Record<string, Fault> = {
  'too many requests': { status: 429, headers: { 'retry-after': '300' }, body: '' },
  'a forbidden customer': failure(403, 'authorisation', 'genericError'),
  'a forbidden customer, as unauthorized': failure(401, 'authorisation', 'genericError'),
  'a limit of its own': failure(400, 'businessRule', 'rateLimitError'),
  'no reason': { status: 403, body: '' },
};

for (const [what, fault] of Object.entries(refusals)) {
  test(`delays no other request by one refused for ${what}`, async (context) => {
    const { operator, provider } = await startGsma(context, { MODE: 'polling' }, { pauseMs });
    provider.fault = (call) => (isPost(call) ? fault : undefined);
    const reference = randomUUID();
    for (let tries = 0; tries < 5; tries++) {
      const answer = await operator.requestDebit(debitRequest({ reference }));
      assert.deepEqual(answer, { kind: 'unknown', progress: 'UNREACHABLE' });
    }
    provider.fault = () => undefined;
    await operator.requestDebit(debitRequest());
    assert.equal(provider.entries.size, 1, 'the other one arrived');
  });

  test(`pauses all requests after three refused for ${what}`, async (context) => {
    const { operator, provider } = await startGsma(context, { MODE: 'polling' }, { pauseMs });
    provider.fault = (call) => (isPost(call) ? fault : undefined);
    for (let made = 0; made < 3; made++) await operator.requestDebit(debitRequest());
    provider.fault = () => undefined;
    await operator.requestDebit(debitRequest());
    assert.equal(provider.entries.size, 0, 'nothing is sent to it');
  });
}

for (const [what, fault] of Object.entries({
  'a wrong key': failure(401, 'authorisation', 'clientAuthorisationError'),
  'a wrong password': { status: 401, body: '' },
})) {
  test(`pauses all requests at once after ${what}`, async (context) => {
    const { operator, provider } = await startGsma(context, { MODE: 'polling' }, { pauseMs });
    provider.fault = (call) => (isPost(call) ? fault : undefined);
    await operator.requestDebit(debitRequest());
    provider.fault = () => undefined;
    await operator.requestDebit(debitRequest());
    assert.equal(provider.entries.size, 0);
  });
}
