/** What `npm start` says before Zimbo can say anything. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

const launcher = join(import.meta.dirname, '..', 'bin', 'start');
const skip = process.platform === 'win32' && 'npm runs it with another shell';

/** Runs it where these programs are the only ones. */
function run(context: TestContext, programs: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-start-'));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync('/bin/sh', [launcher], {
    // Not the clone, whose own Node would be found.
    cwd: folder,
    env: { PATH: folder },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const zimbo = 'echo "zimbo $*"';

test('npm start before npm ci says what to run', { skip }, (context) => {
  const { status, stderr } = run(context, {});
  assert.equal(status, 1);
  assert.match(stderr, /^The packages of Zimbo are not installed yet: run "npm ci" once/);
});

test('npm start says which library the system lacks', { skip }, (context) => {
  const node =
    'echo "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2; exit 127';
  const { status, stderr } = run(context, { zimbo, node });
  assert.equal(status, 1);
  assert.match(stderr, /cannot start on this system: .*libatomic\.so\.1/);
  assert.match(stderr, /apt install libatomic1/);
});

test('npm start starts where nothing is missing', { skip }, (context) => {
  const { status, stdout } = run(context, { zimbo, node: 'echo v26.10.0' });
  assert.deepEqual([status, stdout], [0, 'zimbo start\n']);
});
