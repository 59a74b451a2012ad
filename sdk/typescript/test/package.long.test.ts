import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '../../../server/test/support/free-port.ts';
import { testGateway } from '../../../server/test/support/gateway.ts';

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '..');
const limitMs = 60_000;
/** Scripts of npm run on the Node of the project, wherever the tests were started. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

let folder = '';
/** A project of a merchant that has installed the tarball, and nothing else. */
let project = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zimbo-sdk-'));
  project = join(folder, 'shop');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"private": true, "type": "module"}\n');
  const npm = (cwd: string, ...args: string[]) => run('npm', args, { cwd, env, timeout: limitMs });
  await npm(sdk, 'pack', '--silent', '--pack-destination', folder);
  const [tarball] = globSync('*.tgz', { cwd: folder });
  await npm(project, 'install', '--offline', '--no-audit', '--no-fund', join('..', tarball!));
  await cp(join(sdk, 'test', 'consumer.mjs'), join(project, 'consumer.mjs'));
});

after(() => rm(folder, { recursive: true, force: true }));

/** A Node from 20 that is not the one of the project. */
function otherNode(): string | undefined {
  const folders = process.env.PATH!.split(delimiter).filter((one) => !one.includes('node_modules'));
  return folders
    .map((one) => join(one, 'node'))
    .find((node) => {
      const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '';
      return Number(/^v(\d+)/.exec(version)?.[1]) >= 20 && version.trim() !== process.version;
    });
}

const nodes = { 'the Node of the project': process.execPath, 'another Node from 20': otherNode() };
for (const [name, node] of Object.entries(nodes)) {
  test(`installed from its tarball, the package works on ${name}`, {
    skip: node === undefined && 'there is none on the PATH',
  }, async (context) => {
    const { url, key } = await testGateway(context);
    const program = ['consumer.mjs'];
    const settings = { ...env, ZIMBO_URL: url, ZIMBO_API_KEY: key };
    const { stdout } = await run(node!, program, { cwd: project, env: settings, timeout: limitMs });
    assert.match(stdout, /: done$/m);
  });
}

test('the package has its licence, its types and no dependency', () => {
  const installed = join(project, 'node_modules', '@zimbo', 'sdk');
  const files = globSync('**/*.*', { cwd: installed }).concat(
    globSync('LICENSE', { cwd: installed }),
  );
  for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/index.js', 'dist/index.d.ts']) {
    assert.ok(files.includes(file), file);
  }
  const strange = files.filter(
    (file) =>
      !/^(dist\/.*\.js|dist\/.*\.d\.ts|(dist\/commonjs\/)?package\.json|LICENSE|(README|CHANGELOG)\.md)$/.test(
        file,
      ),
  );
  assert.deepEqual(strange, []);
  assert.deepEqual(globSync('node_modules/{*,@*/*}/package.json', { cwd: project }), [
    'node_modules/@zimbo/sdk/package.json',
  ]);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.equal(manifest.dependencies, undefined);
});

test('a CommonJS program gets the same classes by require', async () => {
  const program = `
    const { Zimbo, signWebhook, verifyWebhook } = require('@zimbo/sdk');
    const body = '{"id":"evt_1","type":"payment.invented","data":{}}';
    signWebhook(body, 'whsec_x')
      .then((headers) => verifyWebhook(body, headers, 'whsec_x'))
      .then(({ id }) => console.log(typeof new Zimbo('sk_test_x', { baseUrl: 'https://x.cv' }).payments.create, id));
  `;
  await writeFile(join(project, 'program.cjs'), program);
  const { stdout } = await run(process.execPath, ['program.cjs'], {
    cwd: project,
    timeout: limitMs,
  });
  assert.equal(stdout, 'function evt_1\n');
});

test('the built code knows the web platform only', () => {
  const files = globSync('node_modules/@zimbo/sdk/dist/**/*.{js,d.ts}', { cwd: project });
  assert.ok(files.length > 40);
  for (const file of files) {
    const text = readFileSync(join(project, file), 'utf8');
    const found = /node:|\bBuffer\b|\bprocess\.|\brequire\((?!"\.)|__dirname|NodeJS|\.ts'/.exec(
      text,
    );
    assert.equal(found?.[0], undefined, file);
  }
});

test('a program in strict TypeScript compiles against the types', async () => {
  const program = `
    import { Zimbo, verifyWebhook, type Payment } from '@zimbo/sdk';
    const zimbo = new Zimbo('sk_test_x', { baseUrl: 'https://pay.example.cv' });
    export async function last(): Promise<Payment | undefined> {
      for await (const payment of zimbo.payments.list({ status: 'DEBITED' })) return payment;
      return undefined;
    }
    export async function receive(request: Request): Promise<string> {
      const event = await verifyWebhook(await request.arrayBuffer(), request.headers, 'whsec_x');
      return event.type === 'refund.failed' ? event.data.paymentIntentId : event.id;
    }
    // @ts-expect-error there is no such status
    zimbo.payments.list({ status: 'PAID' });
  `;
  await writeFile(join(project, 'program.ts'), program);
  // Where the program is CommonJS, so are the types.
  await writeFile(join(project, 'program.cts'), program);
  const tsc = join(sdk, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');
  const common = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
  for (const [resolution, program] of [
    ['nodenext', 'program.ts'],
    ['nodenext', 'program.cts'],
    ['node16', 'program.ts'],
    ['bundler', 'program.ts'],
  ] as const) {
    const module = resolution === 'bundler' ? 'esnext' : resolution;
    const options = ['--module', module, '--moduleResolution', resolution, '--lib', 'es2022,dom'];
    await run(process.execPath, [tsc, ...common, ...options, '--types', '', program], {
      cwd: project,
      timeout: limitMs,
    });
  }
});

/** The examples one after another, as one program that ends when the webhook has told of the last debit. */
async function programOfReadme(): Promise<string> {
  const page = readFileSync(join(sdk, 'README.md'), 'utf8');
  const blocks = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block]) => block!);
  assert.ok(blocks.length >= 8);
  const start = `const said = [];
    const { log } = console;
    console.log = (...words) => { log(...words); said.push(words.join(' ')); };
    const until = async (reached) => {
      while (!(await reached())) await new Promise(setImmediate);
    };\n`;
  const end = `await until(() => said.some((line) => /^paid pi_.* 5000$/.test(line)));
    receiver.close();\n`;
  const isDebited = `async () => (await zimbo.payments.get(payment.id)).status === 'DEBITED'`;
  const examples = blocks
    .join('\n')
    .replace('for await', `await until(${isDebited});\nfor await`)
    .replaceAll('4400', String(await freePort()));
  return start + examples + end;
}

test('the examples of the README do what they say', async (context) => {
  const { url, key, api } = await testGateway(context);
  const payment = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912159' };
  for (let count = 0; count < 3; count++) await api('POST', '/v1/payments', payment);
  await writeFile(join(project, 'readme.mjs'), await programOfReadme());
  const { stdout, stderr } = await run(process.execPath, ['readme.mjs'], {
    cwd: project,
    env: { ...env, ZIMBO_URL: url, ZIMBO_API_KEY: key },
    timeout: limitMs,
  });
  assert.equal(stderr, '');
  const lines = stdout.trim().split('\n');
  const id = /^(pi_\w+) CREATED$/.exec(lines[0]!)?.[1];
  const others = lines.filter((line) => !line.startsWith('paid')).slice(1);
  assert.deepEqual(others, [
    '10001n',
    'whsec_',
    `debited ${id} 10000`,
    'and 2 more',
    '0 payments of table 12',
    'PENDING',
    'not refunded: amount must be at most 7500, the rest of this payment. Refunds in progress count too.',
    'true',
  ]);
});
