/** The receivers of examples/receivers as processes. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { blocksOf, read, root } from './pages.ts';

const page = read('examples/receivers/README.md');

export interface Program {
  /** The heading of its commands on the page, and its folder. */
  language: string;
  folder: string;
  /** What must be installed. */
  needs: string;
  /** Fetches what it depends on; where this fails, the test is skipped. */
  fetch?: string;
  /** What cron runs. */
  cron?: string;
}

export const programs: Program[] = [
  { language: 'PHP', folder: 'php', needs: 'php', cron: 'php receiver.php' },
  { language: 'Python', folder: 'python', needs: 'python3' },
  { language: 'Go', folder: 'go', needs: 'go' },
  { language: 'Java', folder: 'java', needs: 'javac' },
  { language: 'Ruby', folder: 'ruby', needs: 'ruby', fetch: "ruby -r webrick -e ''" },
  { language: 'Rust', folder: 'rust', needs: 'cargo', fetch: 'cargo fetch --quiet' },
];

/** The commands of the page: all but the last prepare the program, and the last runs it. */
function commandsOf({ language }: Program): { build: string; run: string } {
  const section = page.split(/^### /m).find((part) => part.startsWith(`${language}\n`))!;
  const lines = blocksOf(section, 'sh')[0]!.trim().split('\n');
  return { build: ['set -e', ...lines.slice(0, -1)].join('\n'), run: lines.at(-1)! };
}

/** A copy of a program, ready to run. @returns why not, if something that it depends on cannot be had. */
export async function prepare(
  context: TestContext,
  program: Program,
): Promise<{ folder: string } | { missing: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-receiver-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const isSource = (path: string) => !path.endsWith('target');
  await cp(join(root, 'examples/receivers', program.folder), folder, {
    recursive: true,
    filter: isSource,
  });
  const failure = program.fetch && (await failureOf(program.fetch, folder));
  if (failure) return { missing: `${program.fetch}: ${failure}` };
  const broken = await failureOf(commandsOf(program).build, folder);
  if (broken) throw new Error(broken);
  return { folder };
}

/** The program's errors, if it fails. */
async function failureOf(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const child = spawn('sh', ['-c', script], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return code === 0 ? undefined : errors || `${script}: ended with ${code}`;
}

export interface RunningReceiver {
  /** Sends it a body as a stranger could. @returns the status; undefined if it hangs up. */
  post(headers: Record<string, string>, body: string): Promise<number | undefined>;
  /** How often it has said that an object has a status. */
  told(id: string, status: string): number;
  /** Where it stores what it receives. */
  folder: string;
  /** What it stores, by its names. */
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
  program: Program,
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
    const command = `exec ${commandsOf(program).run.replace('4400', `${port}`)}`;
    const child = spawn('sh', ['-c', command], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
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
      if (program.cron) await failureOf(program.cron, folder, env);
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
    folder: stored,
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
