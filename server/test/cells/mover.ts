import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { zimbo } from '../support/process.ts';

export interface MoverRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * `zimbo cells move` in a process of its own.
 * @param killAt words of a step on stderr at which it is killed
 */
export const runMover = (
  args: readonly string[],
  environment: Record<string, string>,
  killAt?: string,
): Promise<MoverRun> => run(['cells', 'move', ...args], environment, killAt);

/** A command that must succeed. */
export async function runZimbo(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<void> {
  const { code, stderr } = await run(args, environment);
  if (code !== 0) throw new Error(`zimbo ${args.join(' ')}: ${stderr}`);
}

async function run(
  args: readonly string[],
  environment: Record<string, string>,
  killAt?: string,
): Promise<MoverRun> {
  const child = spawn(process.execPath, [zimbo, ...args], {
    env: { ...process.env, LOG_LEVEL: 'fatal', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    printed.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    printed.stderr += chunk.toString();
    if (killAt !== undefined && printed.stderr.includes(killAt)) child.kill('SIGKILL');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...printed };
}
