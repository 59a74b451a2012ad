import { spawnSync } from 'node:child_process';

const hasTerminals =
  process.platform === 'linux' &&
  spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0;

/** Why a test that needs a terminal is skipped; false if there is one. */
export const skipWithoutTerminal = !hasTerminals && 'no script command of util-linux';

/** Runs a command in its own terminal. All its output becomes stdout, without colours. */
export function inTerminal([program, ...args]: readonly [string, ...string[]]) {
  const line = [program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return {
    command: 'script',
    args: ['--quiet', '--return', '--command', `exec ${line}`, '/dev/null'],
    environment: { NO_COLOR: '1', SHELL: '/bin/sh' },
  };
}

/** The keys that stop a program in a terminal. */
export const controlC = '\x03';
