import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { type Store, startStore } from '../../../test/support/s3.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { s3Place } from './s3.ts';

/** S3 requires parts of at least 5 MiB; the tests' store does not. */
const limits = { requestMs: 60_000, pauseMs: 1, partBytes: 1_000 };

const placeIn = ({ access, bucket }: Store, more: object = {}) =>
  s3Place({ kind: 's3', bucket, prefix: 'live/a' }, access, { ...limits, ...more });

async function* chunksOf(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('stores a stream of unknown length as one object, reads it back, and removes it', async (context) => {
  const store = await startStore(context);
  const place = placeIn(store);
  const bytes = randomBytes(3_500);
  assert.equal(await place.sink('b.age').write(chunksOf(bytes, 333)), bytes.length);
  assert.deepEqual(await buffer(await place.open('b.age')), bytes);
  const parts = store.requests.filter((each) => each.startsWith('PUT'));
  assert.equal(parts.length, 4);
  assert.match(parts[0]!, /^PUT \/zimbo-backups\/live\/a\/b\.age\?partNumber=1&uploadId=/);
  await place.remove('b.age');
  await place.remove('b.age');
  await assert.rejects(place.open('b.age'), { message: /404 NoSuchKey/ });
});

test('explains a wrong key, refused by its signature, without a retry', async (context) => {
  const store = await startStore(context);
  store.access.secretAccessKey = 'wrong';
  const written = placeIn(store)
    .sink('b')
    .write(chunksOf(randomBytes(10), 10));
  await assert.rejects(written, { name: 'StartError', message: /403 SignatureDoesNotMatch/ });
  assert.equal(store.requests.length, 1);
});

test('removes an aborted upload, which never becomes an object', async (context) => {
  const store = await startStore(context);
  const place = placeIn(store);
  const breaking = async function* () {
    yield randomBytes(2_500);
    throw new Error('the database went away');
  };
  await assert.rejects(place.sink('b').write(breaking()), { message: 'the database went away' });
  assert.deepEqual(await store.uploads(), []);
  await assert.rejects(place.open('b'), { message: /404/ });
});

test('gives up a hanging store after three tries, and removes the upload', async (context) => {
  const store = await startStore(context);
  store.hangs = ({ method }) => method === 'PUT';
  const written = placeIn(store, { requestMs: 1_000 })
    .sink('b')
    .write(chunksOf(randomBytes(10), 10));
  const [refused] = await eventually('it is given up', settled(written), 30_000);
  assert.ok(refused instanceof StartError);
  assert.match(refused.message, /timeout/);
  assert.equal(store.requests.filter((each) => each.startsWith('PUT')).length, 3);
  assert.deepEqual(await store.uploads(), []);
});

/** The reason, once the write was refused. */
function settled(promise: Promise<unknown>): () => [unknown] | undefined {
  let refused: [unknown] | undefined;
  promise.catch((error) => (refused = [error]));
  return () => refused;
}

test('stops at once while the store hangs', async (context) => {
  const store = await startStore(context);
  const stopping = new AbortController();
  store.hangs = ({ method }) => {
    if (method === 'PUT') stopping.abort();
    return method === 'PUT';
  };
  const written = placeIn(store)
    .sink('b')
    .write(chunksOf(randomBytes(10), 10), stopping.signal);
  await assert.rejects(written, { name: 'AbortError' });
  assert.deepEqual(await store.uploads(), []);
});

test('removes the partial uploads of a killed process, and nothing else', async (context) => {
  const store = await startStore(context);
  const place = placeIn(store);
  // A killed process cannot even abort its upload.
  store.answers = ({ method }, response) => {
    if (method === 'DELETE') response.destroy();
    return method === 'DELETE';
  };
  const breaking = async function* () {
    yield randomBytes(2_500);
    throw new Error('killed');
  };
  for (const name of ['b', 'b', 'b.age'])
    await assert.rejects(place.sink(name).write(breaking()), { message: 'killed' });
  store.answers = () => false;
  assert.equal((await store.uploads()).length, 3);
  await place.removePartial('b');
  assert.deepEqual(await store.uploads(), ['live/a/b.age']);
  store.access.secretAccessKey = 'wrong';
  await placeIn(store).removePartial('b.age');
  assert.equal((await store.uploads()).length, 1, 'a key without this permission delays no backup');
});

test('explains a store that breaks off or hangs during a read', async (context) => {
  const store = await startStore(context);
  await placeIn(store)
    .sink('b')
    .write(chunksOf(randomBytes(10), 10));
  let isBrokenOff = true;
  store.answers = (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write(randomBytes(10), () => isBrokenOff && response.destroy());
    return true;
  };
  const read = async (more: object) => buffer(await placeIn(store, more).open('b'));
  await assert.rejects(read({}), {
    name: 'StartError',
    message: /broke off during a read: \w/,
  });
  isBrokenOff = false;
  await assert.rejects(read({ requestMs: 300 }), { name: 'StartError', message: /: no answer\.$/ });
});
