/**
 * `npm run clients`: generates clients with OpenAPI Generator, openapi-python-client, oapi-codegen and
 * openapi-typescript. With each, a shop pays, refunds, makes a checkout, lists, and takes a webhook of a running
 * gateway. The generators and libraries come from their usual sources; what lacks a program is skipped.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { openApiDocument } from '../../scripts/openapi.ts';
import { eventually, testGateway } from '../support/gateway.ts';
import { type Received, testReceiver } from '../support/receiver.ts';

const versions = {
  openApiGenerator: '7.17.0',
  openapiPythonClient: '0.29.1',
  oapiCodegen: '2.8.2',
  openapiTypescript: '7.13.0',
  openapiFetch: '0.17.0',
  esbuild: '0.28.2',
};

const started = promisify(execFile);
const run = (program: string, given: string[], options: object = {}) =>
  started(program, given, { maxBuffer: 2 ** 26, ...options });

/** The names of the programs that this machine lacks. */
const lacking = (...programs: string[]) => {
  const names = programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);
  return names.length > 0 ? `${names.join(' and ')} not installed` : false;
};
const lacksGenerator = lacking('java', 'mvn');
const endings: (() => unknown)[] = [];
const context = { after: (ending: () => unknown) => endings.push(ending) };

let folder: string;
/** The environment of the programs. */
let shop: Record<string, string>;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zimbo-clients-'));
  await writeFile(join(folder, 'openapi.json'), await openApiDocument());
  shop = await openShop();
  if (lacksGenerator) return;
  const artifact = `org.openapitools:openapi-generator-cli:${versions.openApiGenerator}:jar`;
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';
  await run('mvn', ['-B', '-q', copy, `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`]);
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

/** Generates a client; returns its folder. */
async function generate(language: string, options: string[] = []): Promise<string> {
  const output = join(folder, language);
  const jar = join(folder, `openapi-generator-cli-${versions.openApiGenerator}.jar`);
  const input = join(folder, 'openapi.json');
  await run('java', [
    '-jar',
    jar,
    'generate',
    '-i',
    input,
    '-g',
    language,
    '-o',
    output,
    ...options,
  ]);
  return output;
}

/** Objects without a name in the document get names like `InlineObject1` or `CreatePayment200Response`. */
const madeUp = /inline|\d|request$|response$|anyof|oneof|inner/i;

/** Expects that each model in the folder has a name from the document. */
async function checkNames(t: TestContext, models: string, ...helpers: string[]) {
  const names = (await readdir(models)).map((name) => name.replace(/\.\w+$/, ''));
  t.diagnostic(names.join(' '));
  const own = names.filter((name) => !helpers.includes(name));
  assert.deepEqual(
    own.filter((name) => madeUp.test(name)),
    [],
  );
}

const program = (name: string) => join(import.meta.dirname, name);
const all = 'created, got, listed, refunded and verified';

/** Runs a shop's program, which ends if it succeeds in everything. */
async function trade(
  name: string,
  of: string,
  given: string[],
  options: { env?: object; cwd?: string } = {},
) {
  const env = { ...process.env, ...shop, ...options.env };
  const { stdout } = await run(of, given, { ...options, env });
  assert.ok(stdout.includes(`${name}: ${all}\n`), stdout);
}

/** A Python with these packages. */
async function python(name: string, ...packages: string[]): Promise<string> {
  const environment = join(folder, `environment-${name}`);
  await run('python3', ['-m', 'venv', environment]);
  const interpreter = join(environment, 'bin', 'python');
  await run(interpreter, ['-m', 'pip', 'install', '-q', ...packages]);
  return interpreter;
}

const timeout = 600_000;

test('generates a Python client that has good names, and works', {
  skip: lacksGenerator || lacking('python3'),
  timeout,
}, async (t) => {
  const output = await generate('python', ['--additional-properties=packageName=zimbo_client']);
  await checkNames(t, join(output, 'zimbo_client/models'));
  const interpreter = await python('python', '-r', join(output, 'requirements.txt'));
  const env = { PYTHONPATH: output };
  await trade('openapi-generator', interpreter, [program('shop_openapi_generator.py')], { env });
});

test('generates a Java client that has good names, and works', {
  skip: lacksGenerator,
  timeout,
}, async (t) => {
  const names = ['invokerPackage=cv.zimbo.client', 'apiPackage=cv.zimbo.client.api']
    .concat('modelPackage=cv.zimbo.client.model', 'groupId=cv.zimbo', 'artifactId=client')
    .join(',');
  // In version 7.17, "native" makes code that javac refuses of a map in brackets, and "okhttp-gson" reads no null.
  const options = ['--library', 'jersey3', '--additional-properties', names];
  const output = await generate('java', options);
  const models = join(output, 'src/main/java/cv/zimbo/client/model');
  await checkNames(t, models, 'AbstractOpenApiSchema');
  await copyFile(program('Shop.java'), join(output, 'src', 'main', 'java', 'Shop.java'));
  const play = 'org.codehaus.mojo:exec-maven-plugin:3.1.0:java';
  // The generated project expects others to provide some of what it needs.
  const settings = ['-Dexec.mainClass=Shop', '-Dexec.classpathScope=compile'];
  const maven = ['-B', '-q', 'compile', play, ...settings];
  await trade('java', 'mvn', maven, { cwd: output });
});

test('generates a PHP client that has good names, and works', {
  skip: lacksGenerator || lacking('php') || lacksGuzzle(),
  timeout,
}, async (t) => {
  const output = await generate('php');
  await checkNames(t, join(output, 'lib/Model'));
  const env = { SHOP_CLIENT: output };
  await trade('php', 'php', [program('shop.php')], { env });
});

/** Guzzle, the client's HTTP library, from where Debian's php-guzzlehttp-guzzle puts its classes. */
function lacksGuzzle(): string | false {
  const hasGuzzle = spawnSync('php', ['-r', "require 'GuzzleHttp/autoload.php';"]).status === 0;
  return hasGuzzle ? false : 'php-guzzlehttp-guzzle not installed';
}

test('generates a TypeScript client that has good names, and works', {
  skip: lacksGenerator,
  timeout,
}, async (t) => {
  const output = await generate('typescript-fetch');
  await checkNames(t, join(output, 'models'));
  await tradeInTypeScript('typescript-fetch', 'shop-typescript-fetch.ts', []);
});

test('generates a C# client that has good names', { skip: lacksGenerator, timeout }, async (t) => {
  const output = await generate('csharp');
  await checkNames(t, join(output, 'src/Org.OpenAPITools/Model'), 'AbstractOpenAPISchema');
});

test('generates types with openapi-typescript that work', { timeout }, async () => {
  const schema = join(folder, 'schema.d.ts');
  const generator = `openapi-typescript@${versions.openapiTypescript}`;
  await run('npx', ['--yes', generator, join(folder, 'openapi.json'), '-o', schema]);
  const library = `openapi-fetch@${versions.openapiFetch}`;
  await tradeInTypeScript('openapi-typescript', 'shop-openapi-fetch.ts', [library]);
});

/** Checks the types of a program, bundles and runs it. */
async function tradeInTypeScript(name: string, file: string, packages: string[]) {
  const needed = [`esbuild@${versions.esbuild}`, 'typescript@7.0.2', '@types/node@24', ...packages];
  await run('npm', ['install', '--no-save', '--prefix', folder, ...needed]);
  await copyFile(program(file), join(folder, file));
  const bundle = join(folder, `${name}.mjs`);
  const resolution = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'esnext'];
  const checks = ['--noEmit', '--strict', '--skipLibCheck', '--types', 'node', ...resolution];
  const bin = join(folder, 'node_modules', '.bin');
  await run(join(bin, 'tsc'), [...checks, file], { cwd: folder });
  await run(
    join(bin, 'esbuild'),
    [file, '--bundle', '--platform=node', '--format=esm', `--outfile=${bundle}`],
    { cwd: folder },
  );
  await trade(name, process.execPath, [bundle]);
}

test('generates a client with openapi-python-client that works', {
  skip: lacking('python3'),
  timeout,
}, async () => {
  const generator = `openapi-python-client==${versions.openapiPythonClient}`;
  const interpreter = await python(
    'openapi-python-client',
    generator,
    'httpx',
    'attrs',
    'python-dateutil',
  );
  const output = join(folder, 'openapi-python-client');
  const target = join(output, 'zimbo_client');
  const options = [
    '--path',
    join(folder, 'openapi.json'),
    '--output-path',
    target,
    '--meta',
    'none',
  ];
  await mkdir(output);
  await run(interpreter, ['-m', 'openapi_python_client', 'generate', ...options]);
  const env = { PYTHONPATH: output };
  await trade('openapi-python-client', interpreter, [program('shop_openapi_python_client.py')], {
    env,
  });
});

test('generates a Go client with oapi-codegen that works', {
  skip: lacking('go'),
  timeout,
}, async () => {
  const cwd = join(folder, 'go');
  await mkdir(cwd);
  await copyFile(program('shop.go'), join(cwd, 'shop.go'));
  const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${versions.oapiCodegen}`;
  const options = ['-generate', 'types,client', '-package', 'main', '-o', 'client.gen.go'];
  await run('go', ['mod', 'init', 'shop'], { cwd });
  await run('go', ['run', generator, ...options, join(folder, 'openapi.json')], { cwd });
  await run('go', ['mod', 'tidy'], { cwd });
  await trade('go', 'go', ['run', '.'], { cwd });
});
