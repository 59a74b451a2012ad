import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { adminOpenApiDocument, openApiDocument } from '../../../scripts/openapi.ts';

const parts = ['body', 'querystring', 'params', 'headers'] as const;

test('compiles every schema of every route, since a start compiles none', async () => {
  const found: { scope: FastifyInstance; route: RouteOptions }[] = [];
  const observe = (message: unknown) => {
    const { fastify: app } = message as { fastify: FastifyInstance };
    app.addHook('onRoute', function keep(this: FastifyInstance, route) {
      found.push({ scope: this, route });
    });
  };
  subscribe('fastify.initialization', observe);
  await Promise.all([openApiDocument(), adminOpenApiDocument()]);
  unsubscribe('fastify.initialization', observe);
  let count = 0;
  for (const { scope, route } of found) {
    for (const httpPart of parts) {
      const schema = route.schema?.[httpPart];
      if (schema === undefined) continue;
      const { url } = route;
      const method = [route.method].flat().join();
      const validate = scope.validatorCompiler!({ schema, method, url, httpPart });
      assert.doesNotThrow(() => validate({}), `${method} ${url} ${httpPart}`);
      count += 1;
    }
  }
  assert.ok(count > 300, `${count} schemas were compiled`);
});
