import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadConfig } from '../src/platform/config/config.ts';
import { variables } from '../src/platform/config/variables.ts';
import { machine } from './support/own-machine.ts';
import { lacks } from './support/pages.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'deploy', 'systemd');
const units = ['zimbo.service', 'zimbo-backup.service', 'zimbo-backup.timer'];
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** All values of each directive, in order. */
const directives = (name: string) =>
  Map.groupBy([...read(name).matchAll(/^([A-Z]\w+)=(.*)$/gm)], ([, key]) => key!);
const valuesOf = (name: string, key: string) =>
  (directives(name).get(key) ?? []).map(([, , value]) => value!);

function scratch(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'zimbo-units-'));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("passes systemd's checks of units and their hardening", {
  skip: lacks('systemd-analyze'),
}, (context) => {
  const path = scratch(context);
  const files = units.map((name) => {
    // The program's path on this machine, because systemd checks that it exists.
    writeFileSync(join(path, name), read(name).replaceAll('/opt/zimbo', root));
    return join(path, name);
  });
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], {
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  for (const name of units.filter((each) => each.endsWith('.service'))) {
    const file = join(path, name);
    const security = ['security', '--offline=true', '--threshold=20', file];
    const { status: figure, stdout } = spawnSync('systemd-analyze', security, { encoding: 'utf8' });
    assert.equal(figure, 0, `exposed to more than 2.0 of 10: ${stdout.trim().split('\n').at(-1)}`);
  }
});

test('gives both services the same settings, secrets and restrictions', () => {
  const shared = [...directives('zimbo.service').keys()].filter((key) =>
    /^(User|Group|Environment|EnvironmentFile|LoadCredential|StateDirectory\w*|UMask|Protect\w+|Private\w+|Restrict\w+|NoNewPrivileges|SystemCall\w+|CapabilityBoundingSet)$/.test(
      key,
    ),
  );
  assert.ok(shared.length > 20);
  for (const key of shared)
    assert.deepEqual(valuesOf('zimbo-backup.service', key), valuesOf('zimbo.service', key), key);
  assert.deepEqual(valuesOf('zimbo.service', 'ProtectSystem'), ['strict']);
  assert.deepEqual(valuesOf('zimbo.service', 'NoNewPrivileges'), ['true']);
  assert.deepEqual(valuesOf('zimbo.service', 'Restart'), ['always']);
});

test('passes each secret of the units by systemd, to a setting that takes a file', () => {
  const named = valuesOf('zimbo.service', 'Environment').flatMap((line) =>
    line.replace(/ ".*"/, '').split(' '),
  );
  const loaded = valuesOf('zimbo.service', 'LoadCredential').map((line) => line.split(':')[0]!);
  const files = named.flatMap((each) => /^(\w+)=%d\/([\w-]+)$/.exec(each)?.slice(1) ?? []);
  assert.deepEqual(
    files.filter((_, index) => index % 2 === 1),
    loaded,
  );
  for (const each of named) {
    const name = each.split('=')[0]!;
    assert.ok(name in variables || name === 'NODE_ENV', `${name} is not a setting`);
  }
});

test('gives commands the settings and secrets of the service', (context) => {
  const path = scratch(context);
  mkdirSync(join(path, 'secrets'));
  writeFileSync(
    join(path, 'zimbo.env'),
    [
      '# A comment',
      'PUBLIC_URL=https://pay.example.cv',
      'MAIL_FROM="Zimbo <a@b.cv>"',
      'PAYOUT_ACCOUNT_CVE=CV64000500000020108215144;Zimbo $HOME;BCATCVCV',
      `SMTP_URL='smtp://a:$(b)@c'`,
      'NOTICE_LANGUAGE="a\\"b"',
      '  CONSOLE_URL=https://staff.example.cv',
    ].join('\n'),
  );
  writeFileSync(join(path, 'secrets', 'database-url'), 'postgres://zimbo:a$b@db/zimbo\n');
  writeFileSync(join(path, 'secrets', 'operator-cvmovel-secret'), 'hunter2\n');
  const fake = 'if [ "$4" = test ]; then case $6 in *closed) exit 1 ;; esac; exit 0; fi';
  writeFileSync(join(path, 'setpriv'), `#!/bin/sh\n${fake}\necho "$@"\nenv\necho "in=$(pwd)"\n`);
  chmodSync(join(path, 'setpriv'), 0o755);
  const env = {
    PATH: `${path}:${process.env.PATH}`,
    ZIMBO_ETC: path,
    DATABASE_URL_FILE: '/run/credentials/zimbo.service/database-url',
  };
  const printedIn = (cwd: string) =>
    execFileSync('sh', [join(folder, 'zimbo'), 'merchants', 'create', '--name', 'A b'], {
      encoding: 'utf8',
      cwd,
      env,
    }).split('\n');
  const printed = printedIn(realpathSync(path));
  assert.match(
    printed[0]!,
    /^--reuid=zimbo .* \/opt\/zimbo\/server\/bin\/zimbo\.js merchants create --name A b$/,
  );
  for (const line of [
    'PUBLIC_URL=https://pay.example.cv',
    'MAIL_FROM=Zimbo <a@b.cv>',
    'DATABASE_URL=postgres://zimbo:a$b@db/zimbo',
    'OPERATOR_CVMOVEL_SECRET=hunter2',
    'DATA_DIR=/var/lib/zimbo',
    'PAYOUT_ACCOUNT_CVE=CV64000500000020108215144;Zimbo $HOME;BCATCVCV',
    'SMTP_URL=smtp://a:$(b)@c',
    'NOTICE_LANGUAGE=a"b',
    'CONSOLE_URL=https://staff.example.cv',
    `in=${realpathSync(path)}`,
  ])
    assert.ok(printed.includes(line), line);
  assert.ok(!printed.some((line) => /^(DATABASE_URL_FILE|ZIMBO_ETC)=/.test(line)));
  mkdirSync(join(path, 'closed'));
  assert.ok(
    printedIn(join(path, 'closed')).includes('in=/'),
    'the command runs in a folder that zimbo may read',
  );
});

test('creates the files of the units by install.sh, closed to others, and keeps existing ones', {
  skip: lacks('openssl'),
}, (context) => {
  const path = scratch(context);
  machine(path);
  const at = (file: string) => join(path, file);
  const run = () =>
    execFileSync('sh', [at('opt/zimbo/deploy/systemd/install.sh')], {
      env: { PATH: `${at('bin')}:${process.env.PATH}` },
    });
  run();
  for (const file of [...units.map((name) => `etc/systemd/system/${name}`), 'usr/local/bin/zimbo'])
    assert.ok(existsSync(at(file)), file);
  const named = [
    ...valuesOf('zimbo.service', 'EnvironmentFile'),
    ...valuesOf('zimbo.service', 'LoadCredential').map((line) => line.split(':')[1]!),
  ];
  for (const file of named) assert.equal(statSync(at(file)).mode & 0o777, 0o600, file);
  for (const folder of ['etc/zimbo/secrets', 'var/backups/zimbo'])
    assert.equal(statSync(at(folder)).mode & 0o777, 0o700, folder);
  const key = readFileSync(at('etc/zimbo/secrets/zimbo-secret-key'), 'utf8');
  assert.equal(loadConfig({ ZIMBO_SECRET_KEY: key.trim() }, 'command').secretKey?.length, 32);
  writeFileSync(at('etc/zimbo/zimbo.env'), 'PORT=8080\n');
  run();
  assert.equal(readFileSync(at('etc/zimbo/secrets/zimbo-secret-key'), 'utf8'), key);
  assert.equal(readFileSync(at('etc/zimbo/zimbo.env'), 'utf8'), 'PORT=8080\n');
});
