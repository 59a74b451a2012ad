import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isPublic, publicBeginnings, publicPath, routesOf } from './support/public-paths.ts';
import { sharedGateway } from './support/shared-gateway.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Routes for the gateway's operators. */
const internal = [
  '/',
  '/docs',
  '/docs/',
  '/healthz',
  '/llms.txt',
  '/metrics',
  '/openapi.json',
  '/readyz',
];

test('classifies every route as public or not', async () => {
  const routes = await routesOf(await sharedGateway());
  assert.ok(routes.length > 30, `${routes.length} routes were found`);
  const unknown = routes.filter(
    (path) => !isPublic(path) && !internal.includes(path) && !/^\/(docs|admin)\//.test(path),
  );
  assert.deepEqual(unknown, []);
  for (const beginning of publicBeginnings) {
    assert.ok(
      routes.some((path) => path.startsWith(beginning)),
      `no route is under ${beginning}`,
    );
  }
});

test('passes only public paths through the proxies of deploy/', () => {
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
  // Errors of the API have their own format.
  const pages = names.filter((name) => name !== 'v1');
  // Their own limits, because statements are larger than any other body.
  const uploads = ['reconciliations', 'bank-statements'].map((of) => `= /console/staff/${of}/new`);
  const others = [...uploads, `= ${publicPath}`];
  assert.deepEqual(passed, [`~ ^/(${pages.join('|')})/`, '~ ^/v1/', ...others]);
  assert.match(nginx, /location \/ \{\s*return 404;\s*\}/);
  assert.match(read('deploy/Caddyfile'), /handle \{\s*respond 404\s*\}/);
});

test('makes the proxies drop addresses and certificates that strangers claim', () => {
  const nginx = read('deploy/nginx.conf');
  assert.match(nginx, /proxy_set_header X-Forwarded-For \$remote_addr;/);
  assert.match(nginx, /proxy_set_header X-Client-Certificate-Sha256 "";/);
  const caddy = read('deploy/Caddyfile');
  assert.match(caddy, /header_up -X-Client-Certificate-Sha256/);
  assert.doesNotMatch(caddy, /trusted_proxies/);
});

test('closes idle connections in the proxies before the gateway does', async () => {
  const { gateway } = await sharedGateway();
  const caddy = /transport http \{[^}]*\bkeepalive (\d+)s/.exec(read('deploy/Caddyfile'));
  const nginx = /upstream zimbo \{[^}]*\bkeepalive_timeout (\d+)s;/.exec(read('deploy/nginx.conf'));
  for (const [, seconds] of [caddy!, nginx!]) {
    assert.ok(Number(seconds) * 1_000 < gateway.http.server.keepAliveTimeout, `${seconds} s`);
  }
});
