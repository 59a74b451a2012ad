/** What a load balancer hears of a gateway whose database has no room left. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipOnCitus } from '../support/citus.ts';
import { eventually, processCount, testGateway } from '../support/gateway.ts';

const payment = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912345' };
const refuse = `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER refuse BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION refuse()`;

test('a gateway whose writes fail says so to whoever watches it, and goes on with reads', {
  skip: skipOnCitus('triggers') || (processCount > 1 && 'each process finds out by itself'),
}, async (context) => {
  const { api, url, database } = await testGateway(context);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  for (const text of refuse.split(';\n')) await database.query({ text });
  for (let failures = 0; failures < 3; failures++) {
    const { status, body } = await api('POST', '/v1/payments', payment);
    assert.deepEqual([status, body.error.code], [500, 'UNAVAILABLE']);
  }
  const no = await fetch(`${url}/readyz`);
  assert.deepEqual([no.status, await no.json()], [503, { status: 'writes fail' }]);
  assert.equal((await fetch(`${url}/readyz?reads=1`)).status, 200);
  assert.equal((await api('GET', '/v1/payments')).status, 200);
  await database.query({ text: 'DROP TRIGGER refuse ON payments' });
  assert.equal((await api('POST', '/v1/payments', payment)).status, 200);
  await eventually('it is ready again', async () => (await fetch(`${url}/readyz`)).ok);
});
