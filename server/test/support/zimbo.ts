import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Scratch } from './embedded-postgres.ts';
import { eventually } from './eventually.ts';
import { inTerminal } from './terminal.ts';

export const program = join(import.meta.dirname, '..', '..', 'bin', 'zimbo.js');

export interface ZimboProcess {
  child: ChildProcess;
  output: { stdout: string; stderr: string };
  /** The exit code, once it has ended. */
  ended: Promise<number | null>;
  /** Waits until stdout matches, and returns the match. */
  says: (words: RegExp) => Promise<RegExpExecArray>;
}

/** Runs the command line like a script; drops this process's own settings. @param typed the standard input */
export function runZimbo(
  context: Pick<TestContext, 'after'>,
  args: readonly string[],
  environment: Record<string, string>,
  typed = '',
): ZimboProcess {
  const zimbo = watchZimbo(
    context,
    { command: process.execPath, args: [program, ...args] },
    environment,
  );
  zimbo.child.stdin!.end(typed);
  return zimbo;
}

/** Runs the command line like a person: in a terminal that accepts keys. */
export function runZimboInTerminal(
  context: Pick<TestContext, 'after'>,
  args: readonly string[],
  environment: Record<string, string>,
): ZimboProcess & { type(keys: string): void } {
  const { environment: own, ...terminal } = inTerminal([process.execPath, program, ...args]);
  const zimbo = watchZimbo(context, terminal, { ...own, ...environment });
  return { ...zimbo, type: (keys) => void zimbo.child.stdin!.write(keys) };
}

function watchZimbo(
  context: Pick<TestContext, 'after'>,
  { command, args }: { command: string; args: readonly string[] },
  environment: Record<string, string>,
): ZimboProcess {
  // Uses the compile cache, without which a command takes three times as long to start.
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(command, args, {
    env: { PATH, NODE_COMPILE_CACHE, LOG_LEVEL: 'error', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // It may end without reading its input.
  child.stdin.on('error', () => {});
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

/**
 * The test's own DATA_DIR. Processes that use it must end before its PostgreSQL, which they would
 * start again, so run them in the context given here.
 */
export async function ownDataDir(
  context: TestContext,
): Promise<{ dataDir: string; inside: Pick<TestContext, 'after'> }> {
  const endings: (() => unknown)[] = [];
  context.after(async () => {
    for (const end of endings) await end();
  });
  const { dataDir } = await Scratch.make(context);
  return { dataDir, inside: { after: (end) => void endings.push(end as () => unknown) } };
}

/** Colours and other escape sequences. */
export const terminalCode = String.fromCharCode(27);
