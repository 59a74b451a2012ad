import assert from 'node:assert/strict';
import { chmod, cp, lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { rootOnly, Scratch } from '../../../../test/support/embedded-postgres.ts';
import { installedBinaries, usableBinaries } from './binaries.ts';
import { findServerUser } from './os-user.ts';

/** A copy of the installed package, as if its install script had not run. */
async function packageWithoutScripts(t: TestContext) {
  const { directory } = await Scratch.make(t);
  const source = installedBinaries();
  const native = join(directory, 'package', 'native');
  await mkdir(dirname(native), { mode: 0o700 });
  await cp(source, native, { recursive: true, verbatimSymlinks: true });
  await cp(join(source, '..', 'package.json'), join(native, '..', 'package.json'));
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = (JSON.parse(list) as { target: string }[]).map(({ target }) =>
    join(native, '..', target),
  );
  for (const link of links) await rm(link);
  return { native, links, copies: join(directory, 'copies') };
}

test('links the libraries if install scripts were skipped', async (t) => {
  const { native, links, copies } = await packageWithoutScripts(t);
  const found = await Promise.all([1, 2, 3].map(() => usableBinaries(native, undefined, copies)));
  assert.deepEqual(found, [native, native, native]);
  for (const link of links) assert.ok((await lstat(link)).isSymbolicLink());
});

test('copies binaries that the server’s user cannot reach', { skip: rootOnly }, async (t) => {
  const { native, copies } = await packageWithoutScripts(t);
  await chmod(join(native, 'share'), 0o700);
  const user = findServerUser();
  const found = await Promise.all([1, 2].map(() => usableBinaries(native, user, copies)));
  assert.equal(found[0], found[1]);
  assert.equal(dirname(found[0]!), copies);
  assert.equal((await lstat(join(found[0]!, 'share'))).mode & 0o777, 0o755);
  assert.deepEqual(await readdir(copies), [found[0]!.slice(copies.length + 1)]);
});

test('recommends DATABASE_URL on a system without the C library', async (t) => {
  const { directory } = await Scratch.make(t);
  await mkdir(join(directory, 'bin'));
  // As on musl: the file exists, but its loader does not.
  await writeFile(join(directory, 'bin', 'postgres'), '#!/lib64/no-such-loader\n', { mode: 0o755 });
  await assert.rejects(usableBinaries(directory, undefined, directory), {
    name: 'StartError',
    message: /musl/,
    hint: /DATABASE_URL=postgres:/,
  });
});
