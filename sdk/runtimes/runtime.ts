import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A version of a language on which a library is tested. */
export interface Runtime {
  name: string;
  /** @param folder for what it needs @returns what it is and what passed; rejects with the output of the failure */
  test: (folder: string) => Promise<string>;
}

/** The runtime cannot be had here. */
export class Missing extends Error {}

export const sdk = join(import.meta.dirname, '..');
export const root = join(sdk, '..');
const limitMs = 300_000;

/** What a program prints. Rejects with the end of it if the program fails. */
export async function outputOf(
  program: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', ...options.env };
  const limits = { timeout: limitMs, maxBuffer: 64 * 1024 * 1024, ...options, env };
  const printed = await promisify(execFile)(program, args, limits).catch(
    (error: Error & { stdout?: string; stderr?: string }) => {
      const end = `${error.stdout ?? ''}${error.stderr ?? ''}`.slice(-4_000);
      throw new Error(`${error.message.split('\n')[0]}\n${end}`);
    },
  );
  return printed.stdout + printed.stderr;
}

/** The same, of a program that may be missing. */
export async function ifThere(program: string, args: string[]): Promise<string> {
  return outputOf(program, args).catch(() => {
    throw new Missing(`"${[program, ...args].join(' ')}" does not run here`);
  });
}

/** Installs a package from npm into a folder of its own. @returns its node_modules */
export async function installed(folder: string, name: string): Promise<string> {
  const own = join(folder, name.replaceAll(/\W/g, '-'));
  mkdirSync(own);
  writeFileSync(join(own, 'package.json'), '{ "private": true, "type": "module" }\n');
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  await outputOf('npm', ['install', ...quiet, name], { cwd: own }).catch((error: Error) => {
    throw new Missing(`npm does not install ${name}: ${error.message.split('\n')[1]}`);
  });
  return join(own, 'node_modules');
}
