import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lanesOf } from './lanes.ts';
import { cleanUp } from './support/cleanup.ts';

test('runs a file that replaces timers or functions of the process in a process of its own', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-lanes-'));
  cleanUp(context, () => rm(folder, { recursive: true, force: true }));
  const sources = {
    timers: "const { timers } = context.mock;\n  timers.enable({ apis: ['setTimeout'] });\n",
    method: "context.mock.method(globalThis, 'fetch', answer);\n",
    plain: 'assert.equal(1, 1);\n',
    other: 'assert.equal(2, 2);\n',
  };
  const path = (name: string) => join(folder, `${name}.test.ts`);
  for (const [name, source] of Object.entries(sources)) await writeFile(path(name), source);
  const lanes = lanesOf(Object.keys(sources).map(path), folder);
  const named = lanes.map((lane) =>
    [...readFileSync(lane, 'utf8').matchAll(/(\w+)\.test\.ts/g)].map(([, name]) => name).join(' '),
  );
  assert.deepEqual(named.toSorted(), ['method', 'plain other', 'timers']);
});

test('fails a file that cannot be loaded by its name, and runs the others of its lane', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-lanes-'));
  cleanUp(context, () => rm(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, `${name}.test.mjs`);
  await writeFile(path('broken'), "throw new Error('a constant that is gone');\n");
  await writeFile(path('whole'), "import { test } from 'node:test';\ntest('runs', () => {});\n");
  const [lane] = lanesOf([path('broken'), path('whole')], folder);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = ['--test', '--test-reporter=tap', '--test-timeout=20000', lane!];
  const { stdout } = spawnSync(process.execPath, options, { env, encoding: 'utf8' });
  assert.match(stdout, /^not ok \d+ - loads \S*broken\.test\.mjs$/m);
  assert.match(stdout, /a constant that is gone/);
  assert.match(stdout, /^ok \d+ - runs$/m);
});
