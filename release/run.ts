import { execFileSync } from 'node:child_process';

const mostBytes = 256 * 2 ** 20;

/** What a program prints; it throws where the program fails. */
export function run(program: string, args: readonly string[], cwd: string): string {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: mostBytes,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
