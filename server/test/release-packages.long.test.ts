/** The packages of the release: built twice, and installed from their archives into empty folders by their READMEs. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { version } from '../src/platform/process/version.ts';
import { testGateway } from './support/gateway.ts';
import { blocksOf, lacks, root } from './support/pages.ts';
import { isReached } from './support/registry.ts';

const run = promisify(execFile);
const timeout = 240_000;
/** On the Node of the project, wherever the tests were started. */
const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
const skipAll = process.platform === 'linux' ? lacks('git', 'tar', 'npm') : 'it needs GNU tar';
const folder = mkdtempSync(join(tmpdir(), 'zimbo-packages-'));
const out = join(folder, 'one');

const release = (to: string) =>
  run(process.execPath, ['release/main.ts', '--packages-only', to], { cwd: root, timeout });

before(async () => {
  if (skipAll === false) await release(out);
});
after(() => rmSync(folder, { recursive: true, force: true }));

const sum = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

test('builds identical packages from one commit, each with its bill', {
  skip: skipAll,
}, async () => {
  const again = join(folder, 'two');
  await release(again);
  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8');
  assert.equal(readFileSync(join(again, 'SHA256SUMS'), 'utf8'), sums);
  const listed = [...sums.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)];
  const files = globSync('*/*', { cwd: out });
  assert.deepEqual(new Set(listed.map(([, , file]) => file)), new Set(files));
  for (const [, expected, file] of listed) assert.equal(sum(join(out, file!)), expected);

  for (const bill of files.filter((file) => file.endsWith('.cdx.json'))) {
    const { metadata } = JSON.parse(readFileSync(join(out, bill), 'utf8'));
    const named = metadata.component.externalReferences.map(
      ({ url, hashes }: { url: string; hashes: { content: string }[] }) =>
        `${hashes[0]!.content}  ${join(dirname(bill), url)}`,
    );
    const beside = listed.filter(([, , file]) => dirname(file!) === dirname(bill) && file !== bill);
    assert.deepEqual(
      named,
      beside.map(([line]) => line),
      bill,
    );
  }
});

test('puts the licence, README and changelog into every package', {
  skip: skipAll || lacks('unzip'),
}, async () => {
  for (const archive of globSync('*/*.{tgz,tar.gz,zip,whl}', { cwd: out })) {
    const isTar = /(tgz|gz)$/.test(archive);
    const [program, ...options] = isTar ? ['tar', '-tf'] : ['unzip', '-Z1'];
    const { stdout } = await run(program!, [...options, join(out, archive)]);
    const names = stdout.split('\n').map((name) => basename(name));
    // The README of a wheel is in its metadata.
    const readme = archive.endsWith('.whl') ? 'METADATA' : 'README.md';
    for (const name of ['LICENSE', readme, 'CHANGELOG.md']) {
      assert.ok(names.includes(name), `${archive} lacks ${name}`);
    }
  }
});

/** An empty folder of a shop with one archive in it, and the shell in which its developer works. */
function newShop(context: TestContext, archive: string, environment: Record<string, string> = {}) {
  const shop = mkdtempSync(join(folder, 'shop-'));
  copyFileSync(join(out, archive), join(shop, basename(archive)));
  const inShop = { cwd: shop, timeout, env: { ...process.env, PATH, ...environment } };
  const shell = (line: string) => run('sh', ['-ec', line], inShop);
  /** Runs the first block of a README against a gateway. */
  const runBlock = async (readme: string, language: string, file: string, command: string) => {
    const { url, key } = await testGateway(context);
    const [block] = blocksOf(readme, language);
    await writeFile(join(shop, file), `${language === 'php' ? '<?php\n' : ''}${block}`);
    return shell(`ZIMBO_URL=${url} ZIMBO_API_KEY=${key} ${command}`);
  };
  return { shop, shell, runBlock, read: (path: string) => readFileSync(join(shop, path), 'utf8') };
}

/** The commands with which a README installs its package. */
const installation = (readme: string) => blocksOf(readme, 'sh')[0]!;

test('installs the TypeScript library', { skip: skipAll }, async (context) => {
  const archive = `typescript/zimbo-sdk-${version}.tgz`;
  const { shell, runBlock, read } = newShop(context, archive, { npm_config_offline: 'true' });
  const { stdout } = await shell(`tar -xOf ${basename(archive)} package/README.md`);
  await shell(installation(stdout));
  const readme = read('node_modules/@zimbo/sdk/README.md');
  const printed = await runBlock(readme, 'js', 'shop.mjs', 'node shop.mjs');
  assert.equal(printed.stdout.replace(/pi_\w+/, 'pi'), 'pi CREATED\n10001n\n');
});

test('starts the server for agents', { skip: skipAll }, async (context) => {
  const archive = `mcp/zimbo-mcp-${version}.tgz`;
  const { shell } = newShop(context, archive, {
    ZIMBO_URL: 'http://127.0.0.1:1',
    ZIMBO_API_KEY: 'sk_test_x',
  });
  const { stdout: readme } = await shell(`tar -xOf ${basename(archive)} package/README.md`);
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const answer = shell(`echo '${request}' | ${installation(readme)}`);
  if (!(await isReached(context, answer))) return;
  assert.equal(JSON.parse((await answer).stdout).result.serverInfo.version, version);
});

const common = /^pi_\w+ CREATED\npi_\w+ 10000\nVALIDATION_ERROR amount$/m;

for (const [name, archive] of Object.entries({
  wheel: `zimbo-${version}-py3-none-any.whl`,
  'source archive': `zimbo-${version}.tar.gz`,
})) {
  test(`installs the Python library from its ${name}`, {
    skip: skipAll || lacks('python3', 'pip'),
    timeout: 2 * timeout,
  }, async (context) => {
    const { shop, shell, runBlock } = newShop(context, `python/${archive}`);
    await shell('python3 -m venv environment');
    const readme = readFileSync(join(root, 'sdk/python/README.md'), 'utf8');
    const wheel = `zimbo-${version}-py3-none-any.whl`;
    const install = installation(readme).replace(wheel, archive);
    if (!(await isReached(context, shell(`. environment/bin/activate; ${install}`)))) return;
    const printed = await runBlock(readme, 'python', 'shop.py', 'environment/bin/python shop.py');
    assert.match(printed.stdout, common);
    const [metadata] = globSync(
      `environment/lib/*/site-packages/zimbo-${version}.dist-info/METADATA`,
      {
        cwd: shop,
      },
    );
    const text = readFileSync(join(shop, metadata!), 'utf8');
    for (const line of ['License-Expression: Apache-2.0', 'Requires-Python: >=3.10']) {
      assert.ok(text.includes(`\n${line}\n`), line);
    }
    assert.doesNotMatch(text, /\]\(\.\./, 'links of the README lead to the repository');
  });
}

test('installs the PHP library', {
  skip: skipAll || lacks('php', 'unzip'),
}, async (context) => {
  const { shop, shell, runBlock, read } = newShop(context, `php/zimbo-php-${version}.zip`);
  const readme = readFileSync(join(root, 'sdk/php/README.md'), 'utf8');
  const [unpack, ...compose] = installation(readme).split('\n');
  await shell(unpack!);
  if (lacks('composer') === false) {
    // Its registry is out of reach in many places: the shop has the interfaces.
    const { require } = JSON.parse(read('zimbo/composer.json'));
    const interfaces = Object.keys(require).filter((name) => name.startsWith('psr/'));
    const replace = Object.fromEntries(interfaces.map((name) => [name, '*']));
    const repositories = { 'packagist.org': false };
    await writeFile(join(shop, 'composer.json'), JSON.stringify({ repositories, replace }));
    await shell(compose.join('\n'));
  } else {
    context.diagnostic('composer is not installed: classes are loaded by PSR-4');
    await shell('mkdir vendor');
    const { autoload } = JSON.parse(read('zimbo/composer.json'));
    assert.deepEqual(autoload, { 'psr-4': { 'Zimbo\\': 'src/' } });
    const load = `__DIR__ . '/../zimbo/src/' . strtr(substr($class, 6), '\\\\', '/') . '.php'`;
    const loader = `<?php spl_autoload_register(fn ($class) => include ${load});`;
    await writeFile(join(shop, 'vendor/autoload.php'), loader);
  }
  const printed = await runBlock(readme, 'php', 'shop.php', 'php shop.php');
  assert.match(printed.stdout, common);
});

const goName = 'github.com/zimbo-gateway/zimbo/sdk/go';

test('installs the Go module', { skip: skipAll || lacks('go', 'unzip') }, async (context) => {
  const archive = `go/zimbo-go-${version}.zip`;
  const { shell, runBlock } = newShop(context, archive, { GOPROXY: 'off' });
  await shell('go mod init shop');
  const page = `'${goName}@v${version}/README.md'`;
  const { stdout: readme } = await shell(`unzip -p ${basename(archive)} ${page}`);
  await shell(installation(readme));
  const printed = await runBlock(readme, 'go', 'main.go', 'go run .');
  assert.match(printed.stdout, /^pi_\w+ CREATED\npi_\w+ 10000\nVALIDATION_ERROR \w+$/m);
});

test('gives the Go module the checksum that Go computes from its tag', {
  skip: skipAll || lacks('go'),
}, async (context) => {
  const { shop, shell } = newShop(context, `go/zimbo-go-${version}.zip`, {
    GOFLAGS: '-modcacherw',
  });
  const place = `proxy/${goName}/@v`;
  await shell(`git clone --quiet --bare '${root}' repository
    git -C repository tag --force sdk/go/v${version} "$(git -C '${root}' rev-parse HEAD)"
    mkdir -p ${place} && cp zimbo-go-*.zip ${place}/v${version}.zip
    cp '${join(root, 'sdk/go/go.mod')}' ${place}/v${version}.mod
    echo '{"Version":"v${version}"}' > ${place}/v${version}.info`);
  const sumOf = async (settings: string) => {
    const download = `go mod download -json ${goName}@v${version}`;
    const { stdout } = await shell(`GOPRIVATE='*' ${settings} ${download}`);
    return JSON.parse(stdout).Sum as string;
  };
  const repository = `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=url.file://${shop}/repository.insteadOf \\
    GIT_CONFIG_VALUE_0=https://github.com/zimbo-gateway/zimbo`;
  const tagged = await sumOf(`GOMODCACHE='${shop}/tagged' GOPROXY=direct ${repository}`);
  assert.match(tagged, /^h1:/);
  const packed = `GOMODCACHE='${shop}/packed' GONOPROXY=none GOPROXY='file://${shop}/proxy'`;
  assert.equal(await sumOf(packed), tagged);
  assert.ok(existsSync(join(shop, 'packed', 'cache', 'download', goName)));
});
