import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { releaseImage } from '../../release/image.ts';
import { compareNode, programIn } from '../../release/node-binary.ts';
import { version } from '../src/platform/process/version.ts';
import { testDatabase } from './support/database.ts';
import { lacks } from './support/pages.ts';

const root = join(import.meta.dirname, '..', '..');
const name = `zimbo-${version}`;
/** Without Node and PostgreSQL. */
const mostBytes = 80_000_000;
const skip = process.platform === 'linux' ? lacks('git', 'tar', 'npm') : 'it needs GNU tar';

function scratch(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'zimbo-released-'));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('builds identical releases from one commit, which run when unpacked', {
  skip,
  timeout: 900_000,
}, async (context) => {
  const folder = scratch(context);
  const release = (out: string) => {
    execFileSync(process.execPath, ['release/main.ts', '--node-unchecked', join(folder, out)], {
      cwd: root,
      stdio: 'ignore',
    });
    return readFileSync(join(folder, out, 'SHA256SUMS'), 'utf8');
  };
  const sums = release('one');
  assert.equal(release('two'), sums);
  const listed = [...sums.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)];
  const files = listed.map(([, , file]) => file!);
  const own = files.filter((file) => !file.includes('/'));
  assert.deepEqual(own, [`${name}.tar.gz`, `${name}.cdx.json`, `${name}.intoto.json`]);
  const packages = files.filter((file) => file.includes('/'));
  assert.equal(packages.length, 11);
  const read = (file: string) => readFileSync(join(folder, 'one', file));
  for (const [, expected, file] of listed) assert.equal(sum(read(file!)), expected);

  const { subject, predicate } = JSON.parse(read(`${name}.intoto.json`).toString());
  assert.equal(subject[0].digest.sha256, listed[0]![1]);
  const stated = subject.map((each: { name: string }) => each.name);
  assert.deepEqual(stated, files.slice(0, -1));
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  assert.equal(predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit, commit);

  execFileSync('tar', ['--extract', `--file=${join(folder, 'one', `${name}.tar.gz`)}`], {
    cwd: folder,
  });
  const place = join(folder, name);
  const bytes = Number(execFileSync('du', ['-sb', place], { encoding: 'utf8' }).split('\t')[0]);
  context.diagnostic(`${bytes} bytes unpacked`);
  assert.ok(bytes < mostBytes, `${bytes} bytes`);
  assert.deepEqual(globSync('{server,sdk,operator-simulator}/**/*.test.ts', { cwd: place }), []);
  const bill = JSON.parse(read(`${name}.cdx.json`).toString());
  const packed = globSync(['node_modules/*/package.json', 'node_modules/@*/*/package.json'], {
    cwd: place,
  });
  const billed = new Set(bill.components.map((each: { name: string }) => each.name));
  for (const path of packed) {
    const { name: packageName } = JSON.parse(readFileSync(join(place, path), 'utf8'));
    if (!String(packageName).startsWith('@zimbo/')) assert.ok(billed.has(packageName), packageName);
  }
  await answers(context, place);
});

/** Starts the program of a folder with a PostgreSQL, and checks that it gets ready. */
async function answers(context: TestContext, place: string): Promise<void> {
  const { url } = await testDatabase(context);
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [join(place, 'server/bin/zimbo.js'), 'start'], {
    cwd: '/',
    env: {
      PATH,
      PORT: '0',
      DATABASE_URL: url,
      ZIMBO_SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
      DATA_DIR: join(place, '..', 'data'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  context.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let said = '';
  for await (const part of child.stdout.setEncoding('utf8')) {
    said += part;
    if (/Gateway +http:\S+/.test(said)) break;
  }
  const [, gateway] = /Gateway +(http:\S+)/.exec(said) ?? [];
  assert.equal((await fetch(`${gateway}/readyz`)).status, 200);
}

test("detects a Node that is not in its publisher's archive", { skip }, (context) => {
  const folder = scratch(context);
  const release = 'node-v26.0.0-linux-x64';
  mkdirSync(join(folder, release, 'bin'), { recursive: true });
  writeFileSync(join(folder, release, 'bin', 'node'), 'a program');
  execFileSync('tar', ['-czf', 'node.tar.gz', release], { cwd: folder });
  const archive = readFileSync(join(folder, 'node.tar.gz'));
  const sums = `${'0'.repeat(64)}  other.tar.gz\n${sum(archive)}  ${release}.tar.gz\n`;
  assert.equal(programIn({ sums, archive }, release), sum(Buffer.from('a program')));
  const changed = Buffer.concat([archive, Buffer.from('x')]);
  assert.throws(
    () => programIn({ sums, archive: changed }, release),
    /is not what SHASUMS256.txt lists/,
  );
  assert.throws(() => programIn({ sums: '', archive }, release), /does not list/);
});

/** A checkout with this program as its Node, and a folder like its publisher's. */
function publishedNode(folder: string, program: string) {
  const release = `node-v26.0.0-linux-${process.arch}`;
  const packed = join(folder, 'node_modules', `node-linux-${process.arch}`);
  for (const place of [packed, join(folder, release)])
    mkdirSync(join(place, 'bin'), { recursive: true });
  writeFileSync(join(packed, 'package.json'), '{"version":"26.0.0"}');
  writeFileSync(join(packed, 'bin', 'node'), program);
  writeFileSync(join(folder, release, 'bin', 'node'), 'a program');
  execFileSync('tar', ['-czf', `${release}.tar.gz`, release], { cwd: folder });
  const archive = readFileSync(join(folder, `${release}.tar.gz`));
  writeFileSync(join(folder, 'SHASUMS256.txt'), `${sum(archive)}  ${release}.tar.gz\n`);
}

test('compares Node with a given folder, and makes no release if it cannot compare', {
  skip,
}, async (context) => {
  const folder = scratch(context);
  publishedNode(folder, 'a program');
  const compare = (from: string, isUncheckedAllowed = false) =>
    compareNode(folder, { from, isUncheckedAllowed });
  const { sha256, words } = await compare(folder);
  assert.equal(sha256, sum(Buffer.from('a program')));
  assert.match(words, /is the Node of/);
  const nowhere = join(folder, 'nowhere');
  await assert.rejects(compare(nowhere), /NOT compared .*ENOENT.*\n.*\n.*--node-from FOLDER/);
  assert.match((await compare(nowhere, true)).words, /NOT compared/);
  await assert.rejects(compare('http://127.0.0.1:1'), /NOT compared .*(ECONNREFUSED|bad port)/);
  publishedNode(folder, 'another program');
  await assert.rejects(compare(folder, true), /is not the Node of/);
});

test('rejects an image base without a digest', () => {
  const place = { root, scratch: root, out: root, release: undefined as never };
  assert.throws(
    () => releaseImage({ ...place, base: 'docker.io/library/node:26-slim' }),
    /no digest/,
  );
});
