import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { eventually } from '../../test/eventually.ts';

const program = join(import.meta.dirname, '..', '..', 'bin', 'zimbo.js');

export interface ZimboProcess {
  child: ChildProcess;
  output: { stdout: string; stderr: string };
  /** The exit code, when it has ended. */
  ended: Promise<number | null>;
  /** Waits until stdout matches, and gives the match. */
  says(words: RegExp): Promise<RegExpExecArray>;
}

/** Runs the command line as a person does; nothing of this process's own settings gets in. */
export function runZimbo(
  context: Pick<TestContext, 'after'>,
  args: readonly string[],
  environment: Record<string, string>,
): ZimboProcess {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  context.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const says = (words: RegExp) =>
    eventually(
      `${args.join(' ')} says ${words}; it said ${JSON.stringify(output)}`,
      () => words.exec(output.stdout) ?? undefined,
      60_000,
    );
  return { child, output, ended, says };
}
