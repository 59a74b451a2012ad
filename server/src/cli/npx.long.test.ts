import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanUp } from '../../test/support/cleanup.ts';
import { eventually } from '../../test/support/eventually.ts';
import { freePort } from '../../test/support/free-port.ts';
import { testDataDir, zimbo } from '../../test/support/process.ts';

test('ends the gateway when npm’s shell is gone', async (context) => {
  const dataDir = await testDataDir(context);
  // As with npx: a shell stays the parent, and passes no signal on.
  const shell = spawn('/bin/sh', ['-c', `"${process.execPath}" "${zimbo}" start; exit`], {
    env: { ...process.env, npm_command: 'exec', PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await eventually('the gateway starts', () => /http:\/\/127\.0\.0\.1:\d+/.test(printed), 60_000);
  shell.kill('SIGTERM');
  // The pipe closes when its last holder is gone.
  await once(shell, 'close');
  assert.match(printed, /Stopping; finishing work in progress first/);
});

const shop = join(import.meta.dirname, '../../../examples/shop/main.js');

test('ends the example and its starting gateway with npm', async (context) => {
  const dataDir = await testDataDir(context);
  const command = `"${process.execPath}" --conditions=zimbo-source "${shop}"; exit`;
  const shell = spawn('/bin/sh', ['-c', command], {
    env: {
      ...process.env,
      // Without npm's variable, by which the gateway would watch its parent itself.
      npm_command: undefined,
      PORT: '0',
      DATA_DIR: dataDir,
      SHOP_PORT: String(await freePort()),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that the test can end every process.
    detached: true,
  });
  let [printed, isOver] = ['', false];
  cleanUp(context, () => isOver || process.kill(-shell.pid!, 'SIGKILL'));
  shell.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  shell.stderr.resume();
  // The gateway inherits stderr from the shop: the pipes close when both are gone.
  shell.once('close', () => (isOver = true));
  await eventually('the gateway is being started', () => printed.includes('Starting'), 60_000);
  shell.kill('SIGTERM');
  await eventually('nothing is left', () => isOver, 30_000);
});
