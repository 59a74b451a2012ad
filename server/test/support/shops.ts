/** The shops of examples/shops as processes, by the commands of their page. */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { cleanUp } from './cleanup.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { blocksOf, read, root } from './pages.ts';

export interface Shop {
  name: string;
  /** The heading of its commands on the page. */
  language: string;
  /** What must be installed. */
  needs: string;
  /** Fails where PHP lacks something that the shop is to be tried with. */
  asks?: string;
  /** Its commands fetch packages from a registry: if they fail, the shop cannot be tried. */
  fetches?: boolean;
  /** What the page's last command becomes. */
  runs?: (command: string) => string;
}

export const shops: Shop[] = [
  {
    name: 'PHP, with SQLite',
    language: 'PHP',
    needs: 'php',
    asks: 'php -m | grep pdo_sqlite',
  },
  {
    name: 'PHP, without extensions',
    language: 'PHP',
    needs: 'php',
    runs: (command) => command.replace('php ', 'php -n '),
  },
  { name: 'Python', language: 'Python', needs: 'python3', fetches: true },
  { name: 'Go', language: 'Go', needs: 'go' },
];

/** The commands of the page: the first enters the folder, and the last runs the shop. */
function commandsOf({ language }: Shop) {
  const page = read('examples/shops/README.md');
  const section = page.split(/^### /m).find((part) => part.startsWith(`${language}\n`))!;
  const [enter, ...others] = blocksOf(section, 'sh')[0]!.trim().split('\n');
  const run = others.pop()!;
  return { folder: enter!.replace('cd ', ''), build: others.join(' && '), run };
}

/** A copy of the shop, ready to run. @returns why not, if something that it depends on cannot be had. */
export async function prepareShop(
  context: TestContext,
  shop: Shop,
): Promise<{ folder: string } | { missing: string }> {
  const copy = await mkdtemp(join(tmpdir(), 'zimbo-shop-'));
  cleanUp(context, () => rm(copy, { recursive: true, force: true }));
  const { folder, build } = commandsOf(shop);
  await mkdir(join(copy, folder), { recursive: true });
  await symlink(join(root, 'sdk'), join(copy, 'sdk'));
  for (const part of ['examples/shop', folder])
    await cp(join(root, part), join(copy, part), {
      recursive: true,
      filter: (path) => !/\.venv|__pycache__|shop\.(json|sqlite)/.test(path),
    });
  const failureOf = async (script: string) => {
    const { ended, output } = start(script, join(copy, folder), process.env);
    return (await ended) === 0 ? undefined : `${script}: ${output().trim().slice(-300)}`;
  };
  const missing = shop.asks && (await failureOf(shop.asks));
  if (missing) return { missing };
  const failure = build && (await failureOf(build));
  if (!failure) return { folder: join(copy, folder) };
  if (shop.fetches) return { missing: failure };
  throw new Error(failure);
}

function start(script: string, cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn('sh', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, ended, output: () => text };
}

/** Starts a prepared shop, and waits until it sells. */
export async function startShop(
  context: TestContext,
  shop: Shop,
  folder: string,
  settings: (url: string) => Record<string, string>,
) {
  const port = `${await freePort()}`;
  const url = `http://127.0.0.1:${port}`;
  const { run } = commandsOf(shop);
  const command = `exec ${(shop.runs ?? String)(run.replace('4500', port))}`;
  const env = { ...process.env, PORT: port, SHOP_URL: url, ...settings(url) };
  const open = async () => {
    const running = start(command, folder, env);
    await eventually('the shop is open', async () => {
      if (running.child.exitCode !== null) throw new Error(running.output());
      return fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    return running;
  };
  let running = await open();
  const stop = async () => {
    running.child.kill('SIGKILL');
    await running.ended;
  };
  cleanUp(context, stop);
  return {
    url,
    output: () => running.output(),
    restart: async () => {
      await stop();
      running = await open();
    },
  };
}
