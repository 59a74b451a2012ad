import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUp } from '../gateway/cleanup.ts';
import { end } from '../gateway/gateway.ts';
import { createRequest, runLoad } from '../gateway/load.ts';
import type { LoadResult } from '../load/job.ts';

const execute = promisify(execFile);
const scriptOf = (name: string) => join(import.meta.dirname, name);

/** The floor of HTTP: the load of the creates on a Fastify handler with a schema that does nothing. */
export async function measureFastify(connections: number, seconds: number): Promise<LoadResult> {
  const fastify = await startServer('idle-fastify.ts');
  try {
    const requests = [{ ...createRequest('none'), path: '/' }];
    return await runLoad({ address: fastify.url, requests, connections, seconds, endpoints: 0 });
  } finally {
    await fastify.stop();
  }
}

/** The floor of deliveries: what a bare undici loop posts per second to the receiver of the load. */
export async function measureUndici(seconds: number): Promise<number> {
  const receiver = await startServer('receiver-process.ts');
  try {
    const args = [scriptOf('undici-loop.ts'), receiver.url, String(seconds)];
    const { stdout } = await execute(process.execPath, args);
    return Number(stdout);
  } finally {
    await receiver.stop();
  }
}

/** Starts a script that prints its address. */
async function startServer(name: string): Promise<{ url: string; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [scriptOf(name)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = cleanUp(() => end(child));
  const [address] = (await once(child.stdout!, 'data')) as [Buffer];
  return { url: address.toString().trim(), stop };
}
