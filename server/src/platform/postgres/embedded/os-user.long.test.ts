import assert from 'node:assert/strict';
import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { query, rootOnly, Scratch } from '../../../../test/support/embedded-postgres.ts';
import { systemDirectory } from './data-directory.ts';
import { canEnter, findServerUser } from './os-user.ts';

test('runs the server as another user in DATA_DIR if started as root', {
  skip: rootOnly,
}, async (t) => {
  const scratch = await Scratch.make(t);
  const { url, location } = await scratch.open('gateway');
  assert.equal(location, join(scratch.dataDir, 'postgres'));
  assert.equal((await stat(join(location, 'data'))).uid, findServerUser().uid);
  // Only root and that user get through.
  assert.equal((await stat(scratch.dataDir)).mode & 0o777, 0o710);
  await query(url, 'SELECT 1');
});

test('keeps the data elsewhere if started as root under a closed home', {
  skip: rootOnly,
}, async (t) => {
  const scratch = await Scratch.make(t, { mode: 0o700 });
  const first = await scratch.open('gateway');
  assert.ok(first.location.startsWith(`${systemDirectory}/`));
  await query(first.url, 'CREATE TABLE note AS SELECT 1 AS n');
  await first.close();
  // Whether the data exists must not depend on the current modes.
  await chmod(scratch.directory, 0o711);
  const second = await scratch.open('gateway');
  assert.equal(second.location, first.location);
  assert.deepEqual(await query(second.url, 'SELECT n FROM note'), [{ n: 1 }]);
});

test('fails if started as root and a home is closed later', { skip: rootOnly }, async (t) => {
  const scratch = await Scratch.make(t);
  await (await scratch.open('gateway')).close();
  await chmod(scratch.directory, 0o700);
  await assert.rejects(scratch.open('gateway'), /may not enter .*\/data/);
});

const nobody = { name: 'nobody', uid: 65534, gid: 65534 };
const needsNobody =
  rootOnly ||
  (canEnter(nobody, import.meta.dirname) && canEnter(nobody, process.execPath)
    ? false
    : 'an ordinary user cannot enter this checkout');

test('keeps an ordinary user’s data under a closed home', {
  skip: needsNobody,
}, async (t) => {
  const scratch = await Scratch.make(t, { mode: 0o700, owner: nobody });
  const gateway = await scratch.spawn('gateway', nobody);
  assert.equal(gateway.error, undefined);
  assert.equal(await scratch.location(), join(scratch.dataDir, 'postgres'));
  assert.equal((await stat(scratch.dataDir)).mode & 0o777, 0o700);
  assert.equal(await gateway.leave(), 0);

  // Root may start the gateway on the data, and leaves its owner unchanged.
  const asRoot = await scratch.open('command');
  await query(asRoot.url, 'SELECT 1');
  await asRoot.close();
  const again = await scratch.spawn('gateway', nobody);
  assert.equal(again.error, undefined);
  assert.equal(await again.leave(), 0);
});

test("refuses another user's DATA_DIR", { skip: needsNobody }, async (t) => {
  const scratch = await Scratch.make(t);
  await mkdir(scratch.dataDir);
  await chown(scratch.dataDir, 1, 1);
  const gateway = await scratch.spawn('gateway', nobody);
  assert.match(
    gateway.error ?? '',
    /^DATA_DIR .* cannot be used: the user who starts Zimbo may not/,
  );
});
