/**
 * Builds the image of deploy/Containerfile without a registry, and runs it; compose only changes
 * its surroundings.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildImage, exportImage } from '../../release/image.ts';
import { version } from '../src/platform/process/version.ts';
import { testFolder } from './support/backup.ts';
import { cleanUp } from './support/cleanup.ts';
import { eventually } from './support/eventually.ts';
import { freePort } from './support/free-port.ts';
import { ownServer } from './support/going-live.ts';
import {
  type Buildah,
  buildahIn,
  cannotBuild,
  makeBase,
  npmMounts,
  output,
} from './support/image.ts';
import { root } from './support/pages.ts';

/** The test takes three minutes alone, or seven beside others; copying layers takes most of that. */
const limitMs = 900_000;
/** The tag of the Node image. */
const user = 1000;
const isolation = ['--isolation', 'chroot'];

interface World {
  buildah: Buildah;
  container: string;
  /** Its file system on this machine. */
  files: string;
  folder: string;
}

function build(context: TestContext, tag: string): World {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-image-'));
  cleanUp(context, () => rmSync(folder, { recursive: true, force: true }));
  const buildah = buildahIn(folder);
  const base = makeBase(buildah);
  const options = [...isolation, '--pull-never', ...npmMounts(folder)];
  const release = { version, commit: 'a1b2c3', committedAtSeconds: 1_763_730_000 };
  const storage = buildah.place;
  buildImage({ base, tag, source: root, release, storage, options });
  const file = join(folder, 'image.tar');
  const digest = exportImage(tag, file, storage);
  context.diagnostic(`${statSync(file).size} bytes as a file, sha256:${digest}`);
  const container = buildah.run('from', '--pull-never', tag).trim();
  const files = buildah.run('mount', container).trim();
  cleanUp(context, () => void buildah.run('umount', container));
  return { buildah, container, files, folder };
}

/** Runs a program in the image, with the image read-only and the data volume writable. */
function start(context: TestContext, world: World, env: Record<string, string>, command: string[]) {
  const data = join(world.folder, 'data');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  chownSync(data, user, user);
  const closed = ['opt', 'usr', 'etc'].flatMap((name) => [
    '--volume',
    `${join(world.files, name)}:/${name}:ro`,
  ]);
  const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const volumes = [...closed, '--volume', `${data}:/var/lib/zimbo`];
  const args = ['run', ...isolation, ...volumes, ...settings, world.container, '--', ...command];
  const child = spawn('buildah', [...world.buildah.place, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  cleanUp(context, async () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
    await ended;
  });
  return { child, ended, said: () => said, data };
}

async function says(context: TestContext, world: World, ...command: string[]): Promise<string> {
  const { ended, said } = start(context, world, {}, command);
  assert.equal(await ended, 0, said());
  return said();
}

test('builds the image, whose gateway answers as an unprivileged user with read-only files', {
  skip: cannotBuild(),
  timeout: limitMs,
}, async (context) => {
  const tag = `localhost/zimbo:${version}`;
  const world = build(context, tag);
  const { Docker: image } = JSON.parse(world.buildah.run('inspect', '--type', 'image', tag));
  const { config } = image;
  assert.equal(config.Labels['org.opencontainers.image.version'], version);
  assert.equal(config.Labels['org.opencontainers.image.revision'], 'a1b2c3');
  assert.deepEqual([config.User, config.Healthcheck.Test[1]], ['node', 'node']);
  const names = world.buildah.run('images', '--format', '{{.Name}}:{{.Tag}}').split('\n');
  assert.ok(names.includes(tag), names.join());

  const help = await says(context, world, 'zimbo', '--help');
  assert.match(help, /^Usage: zimbo /m);
  assert.doesNotMatch(help, /npx/);
  assert.equal((await says(context, world, 'zimbo', '--version')).trim(), version);
  const identity = await says(
    context,
    world,
    'sh',
    '-c',
    'id -u; touch /opt/zimbo/x /etc/x || true',
  );
  assert.match(identity, new RegExp(`^${user}$`, 'm'));
  assert.match(identity, /\/etc\/x.*Read-only/);

  // The container cannot reach the sockets of the tests' PostgreSQL.
  const { url } = await ownServer(context, await testFolder(context));
  const port = await freePort();
  const secretKey = Buffer.alloc(32, 3).toString('base64');
  const env = { PORT: `${port}`, DATABASE_URL: url, ZIMBO_SECRET_KEY: secretKey };
  const gateway = start(context, world, { ...env, HOST: '127.0.0.1' }, config.Cmd);
  await Promise.race([
    eventually('the gateway is up', () => /keys create/.test(gateway.said()), 60_000),
    gateway.ended.then(() => assert.fail(gateway.said())),
  ]).catch((error: Error) => assert.fail(`${error.message}: ${gateway.said()}`));
  assert.match(gateway.said(), /^zimbo merchants create --name "My shop"$/m);
  assert.doesNotMatch(gateway.said(), /npx/);
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
  const check = config.Healthcheck.Test.slice(1);
  const healthy = start(context, world, env, check);
  assert.equal(await healthy.ended, 0, healthy.said());
  assert.deepEqual(
    readdirSync(gateway.data).filter((name) => name === 'database'),
    [],
  );
  const bytes = (path: string) => output('du', '-sb', path).split('\t')[0];
  context.diagnostic(
    `${bytes(join(world.files, 'opt/zimbo'))} bytes of Zimbo in ${bytes(world.files)}`,
  );
});
