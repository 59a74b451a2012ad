/**
 * `npm run clients`: generates Python and Java clients with the OpenAPI Generator, and lets each
 * create, get, list and verify against a running gateway. Maven and pip fetch the generator and the
 * libraries from their usual sources; missing programs skip their tests.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { openApiDocument } from '../../scripts/openapi.ts';
import { eventually, testGateway } from '../support/gateway.ts';
import { type Received, testReceiver } from '../support/receiver.ts';

const run = promisify(execFile);
const generatorVersion = '7.17.0';
const lacking = ['java', 'mvn', 'python3'].filter(
  (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined,
);
const skip = lacking.length > 0 ? `${lacking.join(' and ')} not installed` : false;
const endings: (() => unknown)[] = [];
const context = { after: (ending: () => unknown) => endings.push(ending) };

let folder: string;
/** The environment of the programs. */
let shop: Record<string, string>;

before(async () => {
  if (skip) return;
  folder = await mkdtemp(join(tmpdir(), 'zimbo-clients-'));
  await writeFile(join(folder, 'openapi.json'), await openApiDocument());
  const artifact = `org.openapitools:openapi-generator-cli:${generatorVersion}:jar`;
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';
  await run('mvn', ['-B', '-q', copy, `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`]);
  shop = await openShop();
});

after(async () => {
  for (const ending of endings.toReversed()) await ending();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** A gateway, and a webhook that it sent. */
async function openShop(): Promise<Record<string, string>> {
  const { url, key, zimbo } = await testGateway(context as never);
  const receiver = await testReceiver(context as never);
  const { secret } = await zimbo.webhooks.create({ url: receiver.url, events: ['payment.failed'] });
  const poor = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912049' } as const;
  await zimbo.payments.create(poor);
  const { raw, headers } = await eventually<Received>('it fails', () => receiver.received[0]);
  return {
    SHOP_URL: url,
    SHOP_KEY: key,
    SHOP_WEBHOOK_BODY: raw.toString(),
    SHOP_WEBHOOK_SECRET: secret,
    SHOP_WEBHOOK_SIGNATURE: String(headers['x-service-signature']),
    SHOP_WEBHOOK_TIMESTAMP: String(headers['x-service-timestamp']),
  };
}

/** Generates a client; returns its folder and the names of its models. */
async function generate(language: string, options: string[], models: string) {
  const output = join(folder, language);
  const jar = join(folder, `openapi-generator-cli-${generatorVersion}.jar`);
  const input = join(folder, 'openapi.json');
  const command = ['-jar', jar, 'generate', '-i', input, '-g', language, '-o', output];
  await run('java', [...command, ...options], { maxBuffer: 2 ** 26 });
  const names = (await readdir(join(output, models))).map((name) => name.replace(/\.\w+$/, ''));
  return { output, names };
}

/** Objects without a name in the document get names like `InlineObject1` or `CreatePayment200Response`. */
const madeUp = /inline|\d|request$|response$|anyof|oneof|inner/i;

test('generates a Python client that has good names, and works', {
  skip,
  timeout: 600_000,
}, async (t) => {
  const options = ['--additional-properties=packageName=zimbo_client'];
  const { output, names } = await generate('python', options, 'zimbo_client/models');
  assert.deepEqual(
    names.filter((name) => madeUp.test(name)),
    [],
  );
  t.diagnostic(`python: ${names.join(' ')}`);
  const environment = join(folder, 'environment');
  await run('python3', ['-m', 'venv', environment]);
  const python = join(environment, 'bin', 'python');
  await run(python, ['-m', 'pip', 'install', '-q', '-r', join(output, 'requirements.txt')]);
  const script = join(import.meta.dirname, 'client.py');
  const { stdout } = await run(python, [script], {
    env: { ...process.env, ...shop, PYTHONPATH: output },
  });
  assert.match(stdout, /^python: created, got, listed and verified$/m);
});

test('generates a Java client that has good names, and works', {
  skip,
  timeout: 600_000,
}, async (t) => {
  const names = ['invokerPackage=cv.zimbo.client', 'apiPackage=cv.zimbo.client.api']
    .concat('modelPackage=cv.zimbo.client.model', 'groupId=cv.zimbo', 'artifactId=client')
    .join(',');
  // In version 7.17, "native" makes code that javac refuses of a map in brackets, and "okhttp-gson" reads no null.
  const options = ['--library', 'jersey3', '--additional-properties', names];
  const models = 'src/main/java/cv/zimbo/client/model';
  const { output, names: classes } = await generate('java', options, models);
  const own = classes.filter((name) => name !== 'AbstractOpenApiSchema');
  assert.deepEqual(
    own.filter((name) => madeUp.test(name)),
    [],
  );
  t.diagnostic(`java: ${own.join(' ')}`);
  await copyFile(
    join(import.meta.dirname, 'Shop.java'),
    join(output, 'src', 'main', 'java', 'Shop.java'),
  );
  const play = 'org.codehaus.mojo:exec-maven-plugin:3.1.0:java';
  // The generated project expects others to provide some of what it needs.
  const settings = ['-Dexec.mainClass=Shop', '-Dexec.classpathScope=compile'];
  const { stdout } = await run('mvn', ['-B', '-q', 'compile', play, ...settings], {
    cwd: output,
    env: { ...process.env, ...shop },
    maxBuffer: 2 ** 26,
  });
  assert.match(stdout, /java: created, got, listed and verified\n/);
});
