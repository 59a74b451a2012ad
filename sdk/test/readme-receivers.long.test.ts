/** The receivers in the READMEs of the libraries, from the registration of the endpoint to a genuine webhook. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { cleanUp } from '../../server/test/support/cleanup.ts';
import { freePort } from '../../server/test/support/free-port.ts';
import { eventually, testGateway } from '../../server/test/support/gateway.ts';
import { blocksOf, lacks, read } from '../../server/test/support/pages.ts';

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '..');
const limitMs = 180_000;

interface Newcomer {
  folder: string;
  env: NodeJS.ProcessEnv;
  port: string;
  /** A block of the README, with the port of the test. */
  block: (mark: string) => string;
}

interface Language {
  name: string;
  needs: string;
  /** Follows the README. @returns the command that runs the receiver, or why the library cannot be installed */
  follow: (newcomer: Newcomer) => Promise<string[] | string>;
}

const languages: Language[] = [
  {
    name: 'php',
    needs: 'php',
    follow: async ({ folder, env, port, block }) => {
      // Composer needs a registry, so this newcomer has none.
      await symlink(join(sdk, 'php'), join(folder, 'zimbo'));
      await writeFile(join(folder, 'autoload.php'), `<?php\n${block('spl_autoload_register')}`);
      const inPhp = (text: string) =>
        `<?php\n${text.replace('vendor/autoload.php', 'autoload.php')}`;
      await writeFile(join(folder, 'endpoint.php'), inPhp(block('webhooks->create')));
      await writeFile(join(folder, 'receiver.php'), inPhp(block('php://input')));
      const { stdout } = await run('php', ['endpoint.php'], { cwd: folder, env });
      env.ZIMBO_WEBHOOK_SECRET = stdout.trim();
      return ['php', '-S', `localhost:${port}`, 'receiver.php'];
    },
  },
  {
    name: 'python',
    needs: 'python3',
    follow: async ({ folder, block }) => {
      await writeFile(join(folder, 'receiver.py'), block('webhooks.create'));
      const python = join(folder, 'venv', 'bin', 'python');
      await run('python3', ['-m', 'venv', 'venv'], { cwd: folder, timeout: limitMs });
      const install = ['-m', 'pip', 'install', '--quiet', join(sdk, 'python')];
      return run(python, install, { timeout: limitMs }).then(
        () => [python, 'receiver.py'],
        (error: Error) => `pip does not install: ${error.message.slice(0, 200)}`,
      );
    },
  },
  {
    name: 'go',
    needs: 'go',
    follow: async ({ folder, block }) => {
      const module = 'github.com/zimbo-gateway/zimbo/sdk/go';
      const replaced = `require ${module} v0.0.0\n\nreplace ${module} => ${sdk}/go\n`;
      await writeFile(join(folder, 'go.mod'), `module shop\n\ngo 1.24\n\n${replaced}`);
      await writeFile(join(folder, 'main.go'), block('Webhooks.Create'));
      await run('go', ['build', '-o', 'receiver', '.'], { cwd: folder, timeout: limitMs });
      return [join(folder, 'receiver')];
    },
  },
];

/** Ends with the test. @returns everything that it has printed so far */
function start(context: TestContext, [program, ...args]: string[], { folder, env }: Newcomer) {
  const child: ChildProcess = spawn(program!, args, { cwd: folder, env });
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const closed = new Promise((resolve) => child.on('close', resolve));
  cleanUp(context, async () => {
    child.kill('SIGKILL');
    await closed;
  });
  return () => printed;
}

for (const { name, needs, follow } of languages) {
  test(`receives a webhook by the README of the library in ${name}`, {
    skip: lacks(needs),
    timeout: 400_000,
  }, async (context) => {
    const { url, key, zimbo } = await testGateway(context);
    const folder = await mkdtemp(join(tmpdir(), `zimbo-${name}-`));
    cleanUp(context, () => rm(folder, { recursive: true, force: true }));
    const port = `${await freePort()}`;
    const blocks = blocksOf(read(`sdk/${name}/README.md`), name);
    const block = (mark: string) =>
      blocks.find((each) => each.includes(mark))!.replaceAll('4400', port);
    const env = { ...process.env, ZIMBO_URL: url, ZIMBO_API_KEY: key };
    const newcomer = { folder, env, port, block };
    const command = await follow(newcomer);
    if (typeof command === 'string') {
      context.skip(command);
      return;
    }
    const printed = start(context, command, newcomer);
    const forged = await eventually('the receiver listens', () =>
      fetch(`http://localhost:${port}/`, { method: 'POST', body: '{}' }).catch(() => undefined),
    );
    assert.equal(forged.status, 400, printed());
    const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
    const { id } = await zimbo.payments.create(payment);
    await eventually('it prints the payment', () => printed().includes(`paid ${id} 10000`));
  });
}
