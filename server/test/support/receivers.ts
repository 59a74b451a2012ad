/** The receivers of examples/receivers as processes. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { root } from './pages.ts';

export interface Program {
  /** A name for people, and its folder. */
  name: string;
  folder: string;
  /** What must be installed. */
  needs: string;
  /** Fetches what it depends on; where this fails, the test is skipped. */
  fetch?: string[];
  build?: string[];
  run: (port: number) => string[];
  /** What cron runs. */
  cron?: string[];
}

export const programs: Program[] = [
  {
    name: 'PHP',
    folder: 'php',
    needs: 'php',
    run: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
    cron: ['php', 'receiver.php'],
  },
  { name: 'Python', folder: 'python', needs: 'python3', run: () => ['python3', 'receiver.py'] },
  {
    name: 'Go',
    folder: 'go',
    needs: 'go',
    build: ['go', 'build', '-o', 'receiver', 'receiver.go'],
    run: () => ['./receiver'],
  },
  { name: 'Java', folder: 'java', needs: 'javac', run: () => ['java', 'Receiver.java'] },
  {
    name: 'Ruby',
    folder: 'ruby',
    needs: 'ruby',
    fetch: ['ruby', '-rwebrick', '-e', ''],
    run: () => ['ruby', 'receiver.rb'],
  },
  {
    name: 'Rust',
    folder: 'rust',
    needs: 'cargo',
    fetch: ['cargo', 'fetch', '--quiet'],
    build: ['cargo', 'build', '--quiet', '--offline'],
    run: () => ['target/debug/receiver'],
  },
];

/** A copy of a program, ready to run. @returns why not, if something that it depends on cannot be had. */
export async function prepare(
  context: TestContext,
  { folder: name, fetch: fetching, build }: Program,
): Promise<{ folder: string } | { missing: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-receiver-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await cp(join(root, 'examples/receivers', name), folder, { recursive: true });
  const failure = fetching && (await failureOf(fetching, folder));
  if (failure) return { missing: `${fetching.join(' ')}: ${failure}` };
  const broken = build && (await failureOf(build, folder));
  if (broken) throw new Error(broken);
  return { folder };
}

/** The program's errors, if it fails. */
async function failureOf(
  [program, ...args]: string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const child = spawn(program!, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return code === 0 ? undefined : errors || `${program} ended with ${code}`;
}

export interface RunningReceiver {
  /** Sends it a body as a stranger could. @returns the status; undefined if it hangs up. */
  post(headers: Record<string, string>, body: string): Promise<number | undefined>;
  /** How often it has said that an object has a status. */
  told(id: string, status: string): number;
  /** What it stores, and under which names. */
  names(folder: 'inbox' | 'done' | 'statuses'): string[];
  /** The last status of an object. */
  statusOf(id: string): string | undefined;
  /** Kills it, starts it again, perhaps with other settings, and waits until it listens. */
  restart(settings?: Record<string, string>): Promise<void>;
  /** What cron does for it, if it needs cron. */
  runCron(): Promise<void>;
  /** Everything that it printed. */
  output(): string;
  url: string;
}

/** Starts a prepared program, and waits until it listens. */
export async function startReceiver(
  context: TestContext,
  { run, cron }: Program,
  folder: string,
  settings: Record<string, string>,
): Promise<RunningReceiver> {
  const port = await freePort();
  const stored = join(folder, 'kept');
  let output = '';
  let end = async () => {};
  let runCron = async () => {};
  const start = async (given: Record<string, string>) => {
    const env = { ...process.env, PORT: `${port}`, RECEIVER_FOLDER: stored, ...given };
    const [program, ...args] = run(port);
    const child = spawn(program!, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const closed = new Promise((resolve) => child.on('close', resolve));
    end = async () => {
      child.kill('SIGKILL');
      await closed;
    };
    await eventually('the receiver listens', () => {
      if (child.exitCode !== null) throw new Error(output);
      return post({}, '');
    });
    runCron = async () => {
      if (cron) await failureOf(cron, folder, env);
    };
  };
  context.after(() => end());
  const url = `http://127.0.0.1:${port}/`;
  const post = async (headers: Record<string, string>, body: string) =>
    fetch(url, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => undefined,
    );
  await start(settings);
  return {
    url,
    post,
    runCron: () => runCron(),
    output: () => output,
    told: (id, status) => output.match(new RegExp(`\\b${id} ${status}$`, 'gm'))?.length ?? 0,
    names: (name) => readdirSync(join(stored, name)).sort(),
    statusOf: (id) => {
      try {
        return readFileSync(join(stored, 'statuses', id), 'utf8');
      } catch {
        return undefined;
      }
    },
    restart: async (changed) => {
      await end();
      await start({ ...settings, ...changed });
    },
  };
}
