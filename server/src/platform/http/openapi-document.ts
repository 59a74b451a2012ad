import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { RouteOptions } from 'fastify';
import { once } from './static-response.ts';

/**
 * Makes the document of these routes when it is first asked for: the library and its parser of YAML are 90 modules
 * that most processes never need. So the routes are told to an app of its own, which serves nobody.
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
      const told = { ...(schema !== undefined && { schema }), ...(config && { config }) };
      shelf.route({ method, url, ...told, handler: () => undefined });
    }
    await shelf.ready();
    const document = shelf.swagger();
    await shelf.close();
    return document;
  });
