import { type ChildProcess, spawn } from 'node:child_process';
import type { OsUser } from './os-user.ts';

export interface ProgramOptions {
  user: OsUser | undefined;
  environment?: Record<string, string>;
  /** The open file for its output; by default, pipes. */
  output?: number;
}

export interface ProgramResult {
  exitCode: number | null;
  /** Its output on both streams. */
  output: string;
}

/** Starts one of PostgreSQL's programs, in its own session so that Ctrl-C does not reach it. */
export function spawnProgram(
  file: string,
  programArguments: string[],
  { user, environment, output }: ProgramOptions,
): ChildProcess {
  return spawn(file, programArguments, {
    ...(user && { uid: user.uid, gid: user.gid }),
    // The server's user may not be able to enter our working directory.
    cwd: process.platform === 'win32' ? undefined : '/',
    env: { ...inheritedEnvironment(), ...environment },
    detached: true,
    windowsHide: true,
    stdio: output === undefined ? 'pipe' : ['ignore', output, output],
  });
}

/**
 * Runs one of PostgreSQL's programs to its end.
 * @throws the system's error if it cannot be executed.
 */
export async function runProgram(
  file: string,
  programArguments: string[],
  options: { user: OsUser | undefined; input?: string },
): Promise<ProgramResult> {
  const child = spawnProgram(file, programArguments, options);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  // A program that ends before reading its input explains the failure by its exit code.
  child.stdin?.on('error', () => {}).end(options.input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, output }));
  });
}

/** Hides our secrets from PostgreSQL's processes, and `PG…` variables that would change their behaviour. */
function inheritedEnvironment(): Record<string, string> {
  const inherited: Record<string, string> = { LC_ALL: 'C' };
  for (const name of ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'ComSpec', 'USERPROFILE']) {
    const value = process.env[name];
    if (value !== undefined) inherited[name] = value;
  }
  return inherited;
}
