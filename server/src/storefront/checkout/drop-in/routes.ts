import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpScope } from '../../../platform/http/server.ts';
import { once, prepare, sendPrepared } from '../../../platform/http/static-response.ts';

/** Shops keep the address for years, so browsers ask for the file again after an hour. */
const cacheSeconds = 3_600;
const script = once(() =>
  prepare(
    'text/javascript; charset=utf-8',
    readFileSync(join(import.meta.dirname, 'checkout.js'), 'utf8'),
  ),
);

/** `checkout.js`, which any site may include: it holds nothing but code. */
export function dropInRoutes(app: HttpScope): void {
  app.get('/pay/checkout.js', { schema: { hide: true } }, async (request, reply) => {
    reply.headers({
      'cache-control': `public, max-age=${cacheSeconds}`,
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    });
    return sendPrepared(await script(), request, reply);
  });
}
