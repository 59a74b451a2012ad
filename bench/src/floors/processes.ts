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

/** The floor of HTTP: the create load on a Fastify handler with a schema and no work. */
export async function measureFastify(connections: number, seconds: number): Promise<LoadResult> {
  const fastify = await startScript(scriptOf('idle-fastify.ts'));
  try {
    const requests = [{ ...createRequest('none'), path: '/' }];
    return await runLoad({ address: fastify.url, requests, connections, seconds, endpoints: 0 });
  } finally {
    await fastify.stop();
  }
}

/** The floor of deliveries: the posts per second of a bare undici loop to the load's receiver. */
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

/** The milliseconds of a fixed amount of work, in a fresh process, so that each run starts alike. */
export async function measureCalibration(): Promise<number> {
  const { stdout } = await execute(process.execPath, [scriptOf('calibration.ts')]);
  return Number(stdout);
}

/** Runs a script in its own process, which first prints its address. */
export interface RunningScript {
  url: string;
  /** The next line that it prints. @throws if it ends before */
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
