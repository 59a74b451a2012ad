import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { root } from './pages.ts';

const scriptLimitMs = 60_000;

/** Runs a script as if pasted. Ends it after a minute, so that a hanging test shows its progress. */
export function runBash(
  context: TestContext,
  script: string,
  cwd: string,
  limitMs = scriptLimitMs,
): Promise<{ output: string; errors: string }> {
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const bash = spawn('bash', ['-c', script], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: path },
  });
  const end = () => {
    try {
      process.kill(-bash.pid!, 'SIGKILL');
    } catch {
      // All its processes have ended.
    }
  };
  const timer = setTimeout(end, limitMs);
  context.after(() => {
    clearTimeout(timer);
    end();
  });
  const result = { output: '', errors: '' };
  bash.stdout.setEncoding('utf8').on('data', (text: string) => {
    result.output += text;
  });
  bash.stderr.setEncoding('utf8').on('data', (text: string) => {
    result.errors += text;
  });
  return new Promise((resolve, reject) => {
    bash.on('error', reject);
    bash.on('close', () => resolve(result));
  });
}

/** A folder that looks to the walk like a checkout with a started gateway. */
export async function startedCheckout(
  context: TestContext,
  url: string,
  key: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-docs-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, '.zimbo'));
  const environment = `ZIMBO_URL=${url}\nZIMBO_API_KEY=${key}\n`;
  await writeFile(join(folder, '.zimbo', 'demo.env'), environment);
  await symlink(join(root, 'examples'), join(folder, 'examples'));
  return folder;
}
