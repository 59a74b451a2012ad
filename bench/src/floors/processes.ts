import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { cleanUp } from '../gateway/cleanup.ts';
import { end } from '../gateway/gateway.ts';
import { createRequest, runLoad } from '../gateway/load.ts';
import type { LoadResult } from '../load/job.ts';

const execute = promisify(execFile);
const scriptOf = (name: string) => join(import.meta.dirname, name);

/** The floor of HTTP: the load of the creates on a Fastify handler with a schema that does nothing. */
export async function measureFastify(connections: number, seconds: number): Promise<LoadResult> {
  const fastify = await startScript(scriptOf('idle-fastify.ts'));
  try {
    const requests = [{ ...createRequest('none'), path: '/' }];
    return await runLoad({ address: fastify.url, requests, connections, seconds, endpoints: 0 });
  } finally {
    await fastify.stop();
  }
}

/** The floor of deliveries: what a bare undici loop posts per second to the receiver of the load. */
export async function measureUndici(seconds: number): Promise<number> {
  const receiver = await startScript(scriptOf('receiver-process.ts'));
  try {
    const args = [scriptOf('undici-loop.ts'), receiver.url, String(seconds)];
    const { stdout } = await execute(process.execPath, args);
    return Number(stdout);
  } finally {
    await receiver.stop();
  }
}

/** How long a fixed amount of work takes now, in milliseconds: in a process of its own, so that it begins alike. */
export async function measureCalibration(): Promise<number> {
  const { stdout } = await execute(process.execPath, [scriptOf('calibration.ts')]);
  return Number(stdout);
}

/** A script in a process of its own, which prints its address first. */
export interface RunningScript {
  url: string;
  /** What it prints next. @throws if it ends before that */
  nextLine(): Promise<string>;
  stop(): Promise<void>;
}

export async function startScript(path: string, ...args: string[]): Promise<RunningScript> {
  const child: ChildProcess = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = cleanUp(() => end(child));
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${path} has ended`);
    return value;
  };
  return { url: await nextLine(), nextLine, stop };
}
