/** An operator says how often the state of a request may be queried; a link to that state allows no more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { debitRequest, startGsma } from '../../../../test/operators/adapter.ts';
import { type Fault, failure } from '../../../../test/operators/provider.ts';

const requestId = '6d2f3a5e-4b0e-4a3c-9f43-0d7a7f6f9a01';
const state = { serverCorrelationId: requestId, status: 'pending', pollLimit: 2 };
const accepted: Fault = { status: 202, body: state };
const found: Fault = { status: 200, body: state };

const cases: Record<string, { post: Fault; state: Fault }> = {
  'after an acknowledgement': { post: accepted, state: found },
  'after a lost answer': { post: 'break after', state: found },
  'although the operator has forgotten the id': {
    post: accepted,
    state: failure(404, 'identification', 'identifierError'),
  },
};

for (const [when, told] of Object.entries(cases)) {
  test(`queries a state at most pollLimit times ${when}`, async (context) => {
    const { provider, operator } = await startGsma(context);
    const request = debitRequest();
    provider.fault = ({ method, path }): Fault => {
      if (method === 'POST') return told.post;
      if (path.startsWith('/requeststates')) return told.state;
      return { status: 200, body: { link: `/requeststates/${requestId}` } };
    };
    await operator.requestDebit(request);
    for (let query = 0; query < 4; query += 1) {
      assert.equal((await operator.queryDebit(request)).kind, 'unknown');
    }
    assert.equal(provider.calls(/GET \/requeststates\//).length, 2);
  });
}

test('learns of a success by its link after the last query of the state', async (context) => {
  const { provider, operator } = await startGsma(context);
  const request = debitRequest();
  provider.pollLimit = 0;
  await operator.requestDebit(request);
  provider.decide(request.reference);
  assert.equal((await operator.queryDebit(request)).kind, 'succeeded');
  assert.equal(provider.calls(/GET \/requeststates\//).length, 0);
});
