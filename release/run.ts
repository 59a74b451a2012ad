import { execFileSync } from 'node:child_process';

const mostBytes = 256 * 2 ** 20;

/** The output of a program, with more variables in its environment; throws if the program fails. */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Record<string, string> = {},
): string {
  return execFileSync(program, args, {
    cwd,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    maxBuffer: mostBytes,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
