import { execFileSync } from 'node:child_process';

const mostBytes = 256 * 2 ** 20;

/** The output of a program; throws if the program fails. */
export function run(program: string, args: readonly string[], cwd: string): string {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: mostBytes,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
