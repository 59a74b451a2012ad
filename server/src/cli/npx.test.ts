import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';
import { testDataDir, zimbo } from '../../test/support/process.ts';

test('a gateway that npm runs ends when npm’s shell is gone', async (context) => {
  const dataDir = await testDataDir(context);
  // As npx runs it: a shell that stays its parent, and passes no signal on.
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
  // The pipe closes when the last who has it is gone.
  await once(shell, 'close');
  assert.match(printed, /Stopping; work under way is finished first/);
});
