import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { RouteOptions } from 'fastify';
import { once } from './static-response.ts';

/**
 * Generates the document at its first request: the library and its YAML parser are 90 modules that most
 * processes never need. For this, the routes are registered in a separate app that serves no requests.
 */
export const documentOf = (
  routes: readonly RouteOptions[],
  options: FastifyDynamicSwaggerOptions,
): (() => Promise<object>) =>
  once(async () => {
    const [{ default: fastify }, { default: swagger }] = await Promise.all([
      import('fastify'),
      import('@fastify/swagger'),
    ]);
    const shelf = fastify({ exposeHeadRoutes: false });
    shelf.setValidatorCompiler(() => () => true);
    shelf.setSerializerCompiler(() => JSON.stringify);
    await shelf.register(swagger, options);
    for (const { method, url, schema, config } of routes) {
      const described = { ...(schema !== undefined && { schema }), ...(config && { config }) };
      shelf.route({ method, url, ...described, handler: () => undefined });
    }
    await shelf.ready();
    const document = shelf.swagger();
    await shelf.close();
    return document;
  });
