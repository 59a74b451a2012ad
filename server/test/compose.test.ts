import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { envExample, fixedByCompose } from '../scripts/env-example.ts';
import { loadConfig } from '../src/platform/config/config.ts';
import { variables } from '../src/platform/config/variables.ts';
import { version } from '../src/platform/process/version.ts';

const deploy = join(import.meta.dirname, '..', '..', 'deploy');
const read = (path: string) => readFileSync(join(deploy, path), 'utf8');
const { services, networks, volumes } = parse(read('compose.yaml'), { merge: true });
const containerfile = read('Containerfile');

/** The contents of deploy/ after prepare.sh ran there. */
function prepared(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-deploy-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(deploy, folder, {
    recursive: true,
    filter: (path) => !/\.env$|secrets/.test(path.slice(deploy.length)),
  });
  execFileSync('sh', [join(folder, 'prepare.sh')], { stdio: 'ignore' });
  return folder;
}

test('gives the gateway of compose.yaml every setting, fixed or from .env', () => {
  const { environment, env_file } = services.gateway;
  assert.equal(env_file, '.env');
  for (const [name, value] of Object.entries(environment)) {
    if (name === 'ZIMBO_COMMAND') continue;
    assert.ok(name in variables, `${name} is not a setting`);
    const isChosen = String(value).startsWith(`\${${name}:-`);
    assert.ok(isChosen !== fixedByCompose.includes(name), `${name} overrides .env`);
  }
  const ofImage = [...containerfile.matchAll(/\b([A-Z_]+)=/g)].map(([, name]) => name);
  assert.match(containerfile, /^ENV .* ZIMBO_COMMAND=zimbo$/m, 'an image alone has no npx either');
  for (const name of fixedByCompose.filter((each) => !/DATABASE_URL|SECRET_KEY|PORT/.test(each)))
    assert.ok(name in environment || ofImage.includes(name), `nothing sets ${name}`);
});

test('needs the values in .env that .env.example asks for, with this version', () => {
  const needed = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
  const asked = [...envExample().matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
  assert.deepEqual([...new Set(needed)].sort(), ['PUBLIC_HOST', 'ZIMBO_VERSION']);
  for (const name of needed) assert.ok(asked.includes(name), name);
  assert.equal(services.gateway.image, `zimbo:\${ZIMBO_VERSION:?is missing in deploy/.env}`);
  assert.match(envExample(), new RegExp(`^ZIMBO_VERSION=${version}$`, 'm'));
  const profiles = Object.values<{ profiles?: string[] }>(services).flatMap(
    (each) => each.profiles ?? [],
  );
  assert.match(
    envExample(),
    new RegExp(`^COMPOSE_PROFILES=${profiles.toSorted().toReversed().join(',')}$`, 'm'),
  );
});

test('creates working secrets once, closed to others, by prepare.sh', (context) => {
  const folder = prepared(context);
  const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777;
  assert.equal(modeOf('secrets'), 0o700);
  assert.equal(modeOf('.env'), 0o600);
  const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8').trim();
  const env = Object.fromEntries(
    Object.entries<string>(services.gateway.environment).flatMap(([name, value]) =>
      name.endsWith('_FILE')
        ? [[name, value.replace('/run/secrets', join(folder, 'secrets/gateway'))]]
        : [],
    ),
  );
  const config = loadConfig({ ...env, ZIMBO_VERSION: version });
  assert.equal(new URL(config.databaseUrl!).password, secret('database/database-password'));
  assert.equal(config.secretKey?.toString('hex'), secret('gateway/zimbo-secret-key'));
  for (const { volumes: mounts, environment } of [services.database, services.gateway]) {
    const mount = mounts.find((each: string) => each.endsWith(':/run/secrets:ro'));
    const paths = Object.values(environment).map(String);
    for (const path of paths.filter((each) => each.startsWith('/run/'))) {
      const file = join(mount.split(':')[0], path.replace('/run/secrets/', ''));
      assert.ok(existsSync(join(folder, file)), file);
      assert.equal(modeOf(file), 0o444, 'containers read the files as their own users');
    }
  }
  const before = secret('gateway/zimbo-secret-key');
  writeFileSync(join(folder, '.env'), 'PUBLIC_HOST=pay.example.cv\n');
  execFileSync('sh', [join(folder, 'prepare.sh')], { stdio: 'ignore' });
  assert.equal(secret('gateway/zimbo-secret-key'), before);
  assert.equal(readFileSync(join(folder, '.env'), 'utf8'), 'PUBLIC_HOST=pay.example.cv\n');
  assert.match(read('database/role.sh'), /\/run\/secrets\/database-password/);
});

test('connects Caddy of compose.yaml to the gateway as its trusted proxy', () => {
  const { caddy, gateway } = services;
  const named = [...read('Caddyfile').matchAll(/\{\$(\w+):/g)].map(([, name]) => name!);
  assert.deepEqual(Object.keys(caddy.environment).toSorted(), named.toSorted());
  assert.equal(caddy.environment.GATEWAY, 'gateway:3000');
  assert.ok(caddy.volumes.includes('./Caddyfile:/etc/caddy/Caddyfile:ro'));
  assert.equal(caddy.depends_on.gateway.condition, 'service_healthy');
  assert.match(containerfile, /^HEALTHCHECK /m);
  const [{ gateway: machine, subnet, ip_range }] = networks.default.ipam.config;
  const { ipv4_address } = caddy.networks.default;
  assert.equal(gateway.environment.TRUST_PROXY, `\${TRUST_PROXY:-${machine},${ipv4_address}}`);
  // Another container could otherwise get the trusted address.
  assert.deepEqual([subnet, ip_range], ['172.31.250.0/24', '172.31.250.128/25']);
  for (const port of gateway.ports) assert.match(port, /^127\.0\.0\.1:/);
});

test('restarts containers, limits them, and lets them write only to volumes', () => {
  for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
    assert.equal(service.restart, 'unless-stopped', name);
    assert.ok(service.mem_limit && service.pids_limit && service.logging, `${name} has no limits`);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
  }
  for (const name of ['gateway', 'caddy']) {
    assert.equal(services[name].read_only, true);
    assert.deepEqual(services[name].cap_drop, ['ALL']);
  }
  const [, mode, folders = ''] =
    /^RUN install -d -m (\d+) -o node -g node (.+?) \\$/m.exec(containerfile) ?? [];
  assert.equal(mode, '0700', 'others may not enter them');
  const made = folders.split(' ');
  const mounted = services.gateway.volumes.flatMap((each: string) =>
    each.split(':')[0]! in volumes ? [each.split(':')[1]!] : [],
  );
  assert.deepEqual(mounted, made, 'a volume has the mode of the folder in the image');
  assert.match(containerfile, new RegExp(`DATA_DIR=${made[0]}\\b`));
  const [, temporary] = /\bTMPDIR=(\S+)/.exec(containerfile) ?? [];
  assert.ok(
    mounted.includes(temporary ?? ''),
    'uploads of 128 MiB do not fit into the memory of /tmp',
  );
  assert.ok(!('TMPDIR' in services.gateway.environment));
});
