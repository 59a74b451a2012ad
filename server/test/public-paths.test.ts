import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isPublic, publicBeginnings, publicPath, routesOf } from './support/public-paths.ts';
import { sharedGateway } from './support/shared-gateway.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** For whoever runs the gateway. */
const internal = ['/', '/docs', '/docs/', '/healthz', '/metrics', '/openapi.json', '/readyz'];

test('every route is known to be public or not', async () => {
  const routes = await routesOf(await sharedGateway());
  assert.ok(routes.length > 30, `${routes.length} routes were found`);
  const unknown = routes.filter(
    (path) => !isPublic(path) && !internal.includes(path) && !/^\/(docs|admin)\//.test(path),
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
    [publicPath, ...publicBeginnings.map((beginning) => `${beginning}*`)].toSorted(),
  );
  const nginx = read('deploy/nginx.conf');
  const passed = [...nginx.matchAll(/location (.+) \{([^}]*)\}/g)]
    .filter(([, , body]) => body!.includes('proxy_pass'))
    .map(([, paths]) => paths);
  const names = publicBeginnings.map((beginning) => beginning.replaceAll('/', ''));
  // Errors of the API have a form of their own.
  const pages = names.filter((name) => name !== 'v1');
  // Of its own, since statements are larger than whatever else is sent.
  const upload = '= /console/staff/reconciliations/new';
  assert.deepEqual(passed, [`~ ^/(${pages.join('|')})/`, '~ ^/v1/', upload, `= ${publicPath}`]);
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

test('the proxies let go of idle connections before the gateway does', async () => {
  const { gateway } = await sharedGateway();
  const caddy = /transport http \{[^}]*\bkeepalive (\d+)s/.exec(read('deploy/Caddyfile'));
  const nginx = /upstream zimbo \{[^}]*\bkeepalive_timeout (\d+)s;/.exec(read('deploy/nginx.conf'));
  for (const [, seconds] of [caddy!, nginx!]) {
    assert.ok(Number(seconds) * 1_000 < gateway.http.server.keepAliveTimeout, `${seconds} s`);
  }
});
