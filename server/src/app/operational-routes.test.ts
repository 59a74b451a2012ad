import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import type { HttpScope } from '../http/server.ts';
import { healthRoutes, type OperationalDependencies } from './operational-routes.ts';

test('a gateway is ready only when its start has come to its end', async () => {
  let started = false;
  const app = fastify();
  healthRoutes(
    app as unknown as HttpScope,
    {
      database: { query: async () => [] },
      metrics: { requests: { observe: () => {} } },
      role: 'all',
      clock: { doubt: () => undefined },
      isStarted: () => started,
    } as unknown as OperationalDependencies,
  );
  const early = await app.inject('/readyz');
  assert.equal(early.statusCode, 503);
  assert.deepEqual(early.json(), { status: 'starting' });
  started = true;
  assert.equal((await app.inject('/readyz')).statusCode, 200);
});
