import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, lstat, mkdir, readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { environment } from '../torture/gateway.ts';

/** This checkout. */
export const ownRoot = join(import.meta.dirname, '..', '..', '..');
/** On a busy machine, a start takes its time. */
const startLimitMs = 120_000;

const git = (...given: string[]) =>
  execFileSync('git', ['-C', ownRoot, ...given], {
    maxBuffer: 2 ** 29,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** @returns why that version is unavailable here; undefined if it is available */
export function whyMissing(commit: string): string | undefined {
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
    return undefined;
  } catch {
    return `this clone has no commit ${commit}: a shallow clone or a plain folder has no history`;
  }
}

/** Puts the program as of a commit into a folder, with the packages of this checkout. */
export async function checkOut(commit: string, folder: string): Promise<string> {
  const root = join(folder, 'older');
  await mkdir(root);
  const archive = join(folder, 'older.tar');
  await writeFile(archive, git('archive', '--format=tar', commit));
  execFileSync('tar', ['-xf', archive, '-C', root]);
  await linkPackages(join(ownRoot, 'node_modules'), join(root, 'node_modules'));
  return root;
}

/** Links between the workspaces are relative; unchanged, they lead to the older workspaces. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    const found = await lstat(source);
    if (found.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (name.startsWith('@')) await linkPackages(source, target);
    else if (found.isDirectory()) await symlink(source, target);
    else await copyFile(source, target);
  }
}

export interface ProgramOptions {
  /** Of this checkout. */
  root: string;
  databaseUrl: string;
  dataDir: string;
  secretKey: string;
}

const environmentOf = ({ databaseUrl, dataDir, secretKey }: ProgramOptions) => ({
  ...process.env,
  ...environment,
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  ZIMBO_SECRET_KEY: secretKey,
});

const mainOf = ({ root }: ProgramOptions) => join(root, 'server/bin/zimbo.js');

/** What a command of that version prints with `--json`. */
function command(options: ProgramOptions, ...given: string[]): Record<string, string> {
  const printed = execFileSync(process.execPath, [mainOf(options), ...given, '--json'], {
    env: environmentOf(options),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(printed.toString());
}

/** A test key of a new merchant, made by that version: it knows its own tables. */
export function newKey(options: ProgramOptions): string {
  const { id } = command(options, 'merchants', 'create', '--name', 'Loja de teste');
  return command(options, 'keys', 'create', '--merchant', id!, '--mode', 'test').key!;
}

/** A gateway as `zimbo start` runs it. */
export class Program {
  readonly url: string;
  #child: ChildProcess;
  #printed = '';

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        this.#printed = (this.#printed + chunk.toString()).slice(-8_000);
      });
    }
  }

  /** Waits until the gateway is ready. */
  static async start(options: ProgramOptions): Promise<Program> {
    const port = await freePort();
    const child = spawn(process.execPath, [mainOf(options), 'start'], {
      env: { ...environmentOf(options), PORT: `${port}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const program = new Program(child, `http://127.0.0.1:${port}`);
    const isReady = async () => {
      if (!program.isRunning) throw new Error(`a gateway ended:\n${program.#printed}`);
      return fetch(`${program.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    };
    await eventually('the gateway is ready', isReady, startLimitMs).catch(
      async (error: unknown) => {
        await program.stop('SIGKILL');
        throw error;
      },
    );
    return program;
  }

  /** The errors that it has logged, as far as they are kept. */
  get errors(): string[] {
    return this.#printed.split('\n').filter((line) => /"level":[56]0/.test(line));
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Stops the gateway by SIGTERM. @returns what is wrong with how it ended, in words */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<string[]> {
    if (!this.isRunning) return [`a gateway had ended on its own:\n${this.#printed}`];
    const exit = once(this.#child, 'exit');
    this.#child.kill(signal);
    const [code, by] = (await exit) as [number | null, string | null];
    return code === 0 ? [] : [`a gateway ended with ${code ?? by}:\n${this.#printed}`];
  }
}
