import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import type { HttpScope } from '../platform/http/server.ts';
import { healthRoutes, type OperationalDependencies } from './health-and-metrics-routes.ts';

test('is ready only when the start is complete', async () => {
  let started = false;
  const app = fastify();
  healthRoutes(
    app as unknown as HttpScope,
    {
      database: { query: async () => [] },
      metrics: { requests: { observe: () => {} } },
      role: 'all',
      clock: { doubt: () => undefined },
      writes: { fails: () => false },
      isStarted: () => started,
    } as unknown as OperationalDependencies,
  );
  const early = await app.inject('/readyz');
  assert.equal(early.statusCode, 503);
  assert.deepEqual(early.json(), { status: 'starting' });
  started = true;
  assert.equal((await app.inject('/readyz')).statusCode, 200);
});

test('reports unready while writes fail, but ready for reads', async () => {
  const app = fastify();
  const look = { rows: [{ isReadOnly: false, isSynchronous: false }] as object[] | undefined };
  const query = async () => look.rows ?? Promise.reject(new Error('connection refused'));
  healthRoutes(
    app as unknown as HttpScope,
    {
      database: { query },
      role: 'all',
      clock: { doubt: () => undefined },
      writes: { fails: () => true },
    } as unknown as OperationalDependencies,
  );
  const no = await app.inject('/readyz');
  assert.deepEqual([no.statusCode, no.json()], [503, { status: 'writes fail' }]);
  const yes = await app.inject('/readyz?reads=1');
  assert.deepEqual([yes.statusCode, yes.json()], [200, { status: 'ready' }]);
  look.rows = [{ isReadOnly: true, isSynchronous: false }];
  assert.equal((await app.inject('/readyz')).statusCode, 503);
  assert.equal((await app.inject('/readyz?reads=1')).statusCode, 200);
  look.rows = undefined;
  assert.equal((await app.inject('/readyz?reads=1')).statusCode, 503);
});
