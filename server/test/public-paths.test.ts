import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testGateway } from './gateway.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Whatever the public may ask begins with one of these. Who adds a route decides on which side it belongs. */
const publicBeginnings = ['/operators/', '/pay/', '/v1/'];
/** For whoever runs the gateway. */
const internal = ['/', '/docs', '/docs/', '/healthz', '/metrics', '/openapi.json', '/readyz'];

const isPublic = (path: string) => publicBeginnings.some((beginning) => path.startsWith(beginning));

/** The path patterns of all routes, from the tree that Fastify prints. */
async function routesOf(context: TestContext): Promise<string[]> {
  const { gateway } = await testGateway(context);
  const tree = gateway.http.printRoutes();
  const parents: string[] = [];
  const paths = new Set<string>();
  for (const line of tree.split('\n')) {
    const [, indent = '', part, methods] =
      /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (part === undefined) continue;
    const depth = indent.length / 4;
    parents.length = depth;
    parents[depth] = part;
    if (methods !== undefined) paths.add(parents.join(''));
  }
  return [...paths];
}

test('every route is known to be public or not', async (context) => {
  const routes = await routesOf(context);
  assert.ok(routes.length > 30, `${routes.length} routes were found`);
  const unknown = routes.filter(
    (path) => !isPublic(path) && !internal.includes(path) && !path.startsWith('/docs/'),
  );
  assert.deepEqual(unknown, []);
  for (const beginning of publicBeginnings) {
    assert.ok(
      routes.some((path) => path.startsWith(beginning)),
      `nothing is served under ${beginning}`,
    );
  }
});

test('the proxies of deploy/ pass what is public, and nothing else', () => {
  const caddy = /^\s*@public path (.+)$/m.exec(read('deploy/Caddyfile'))![1]!.split(' ');
  assert.deepEqual(
    caddy.toSorted(),
    publicBeginnings.map((beginning) => `${beginning}*`),
  );
  const nginx = read('deploy/nginx.conf');
  const passed = [...nginx.matchAll(/location (\S+) \{([^}]*)\}/g)]
    .filter(([, , body]) => body!.includes('proxy_pass'))
    .map(([, path]) => path!);
  assert.deepEqual(passed.filter((path) => path !== '/pay/live/').toSorted(), publicBeginnings);
  assert.match(nginx, /location \/ \{\s*return 404;\s*\}/);
  assert.match(read('deploy/Caddyfile'), /handle \{\s*respond 404\s*\}/);
});

test('the proxies believe no stranger: neither an address nor a certificate', () => {
  const nginx = read('deploy/nginx.conf');
  assert.match(nginx, /proxy_set_header X-Forwarded-For \$remote_addr;/);
  assert.match(nginx, /proxy_set_header X-Client-Certificate-Sha256 "";/);
  const caddy = read('deploy/Caddyfile');
  assert.match(caddy, /header_up -X-Client-Certificate-Sha256/);
  assert.doesNotMatch(caddy, /trusted_proxies/);
});
