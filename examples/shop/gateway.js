// Finds the gateway of this laptop, or starts one as npm start does.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseEnv, promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');
const program = join(root, 'server', 'bin', 'zimbo.js');
const run = promisify(execFile);
export const dataDir = resolve(process.env.DATA_DIR ?? join(root, '.zimbo'));

/** @returns its address, the key of the demo merchant, and a function that ends it if it was started here */
export async function openGateway() {
  const running = await demoGateway();
  if (running) return { ...running, stop: async () => {} };
  if (process.env.DATABASE_URL) {
    console.error('DATABASE_URL is set, but the shop needs the demo merchant: please unset it.');
    process.exit(1);
  }
  return startGateway();
}

/** The gateway of demo.env, if it answers. */
async function demoGateway() {
  const demo = await readEnvironment(join(dataDir, 'demo.env'));
  const url = demo.ZIMBO_URL;
  const isReady = await fetch(`${url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );
  return isReady ? { url, key: demo.ZIMBO_API_KEY } : undefined;
}

async function startGateway() {
  console.log('Starting a gateway…');
  const child = spawn(process.execPath, [program, 'start'], {
    // The gateway's log of each request would bury the one line that matters here.
    env: { LOG_LEVEL: 'warn', ...process.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exit = once(child, 'exit');
  process.on('exit', () => child.kill());
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  while (!hasEnded()) {
    const running = await demoGateway();
    if (running) {
      await brand();
      const stop = async () => {
        child.kill();
        await exit;
      };
      return { ...running, stop };
    }
    await setTimeout(100);
  }
  // It has printed the reason.
  process.exit(1);
}

/** The payment page looks like the shop: the gateway's staff set that once. */
async function brand() {
  const all = JSON.parse((await zimbo('merchants', 'list', '--json')) || '[]');
  const demo = all.find(({ name }) => name === 'Demo');
  if (!demo) return;
  await zimbo('merchants', 'brand', demo.id, '--name', 'Loja da Praia', '--colour', '#0b5f43');
}

/** The output of a gateway command; empty if it fails, because the shop can do without. */
async function zimbo(...args) {
  const env = { ...process.env, DATA_DIR: dataDir };
  const answer = await run(process.execPath, [program, ...args], { env }).catch(() => undefined);
  return answer?.stdout;
}

/** The variables of a file; none if the file does not exist. */
export async function readEnvironment(path) {
  return parseEnv(await readFile(path, 'utf8').catch(() => ''));
}
