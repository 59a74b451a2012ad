import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkPassword,
  createPasswordHasher,
  defaultCost,
  PasswordsBusyError,
} from './password.ts';

const cheap = { memoryKiB: 8, passes: 1 };
const email = 'maria.andrade@loja.cv';

test('refuses a password that is short, long, the e-mail or easy to guess', () => {
  const refused = [
    'onze letras',
    'x'.repeat(201),
    'Maria.Andrade@loja.cv',
    'maria.andrade',
    'aaaaaaaaaaaa',
    '123456789012',
    'Password12345',
    'palavrapasse1!',
    '!!2026Benfica2026',
    '0123456789012345',
  ];
  for (const password of refused) {
    assert.throws(() => checkPassword(password, email), { code: 'VALIDATION_ERROR' }, password);
  }
  for (const password of ['quatro palavras ao acaso', 'a1!b2"c3#d4$', '🐟🐠🐡🦈🐙🦑🦐🦞🦀🐚🐳🐋']) {
    checkPassword(password, email);
  }
});

test('hashes to a PHC string of Argon2id as OWASP recommends, with its own salt', async () => {
  const { hash, verify } = createPasswordHasher();
  assert.deepEqual(defaultCost, { memoryKiB: 19_456, passes: 2 });
  const [first, second] = await Promise.all([hash('segredo'), hash('segredo')]);
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(first, second);
  assert.equal(await verify('segredo', first), true);
  assert.equal(await verify('segredo ', first), false);
});

test('verifies hashes of another cost', async () => {
  const stored = await createPasswordHasher({ memoryKiB: 16, passes: 2 }).hash('segredo');
  assert.equal(await createPasswordHasher(cheap).verify('segredo', stored), true);
});

test('refuses any password if there is none', async () => {
  assert.equal(await createPasswordHasher(cheap).verify('segredo', null), false);
});

test('treats composed and decomposed letters as the same', async () => {
  const { hash, verify } = createPasswordHasher(cheap);
  assert.equal(await verify('cora\u00e7\u00e3o', await hash('corac\u0327a\u0303o')), true);
});

test('refuses some of too many concurrent passwords, and none afterwards', async () => {
  const { verify, isBusy } = createPasswordHasher(cheap);
  const tries = await Promise.allSettled(Array.from({ length: 30 }, () => verify('x', null)));
  const refused = tries.filter((each) => each.status === 'rejected');
  assert.equal(refused.length, 8, 'two run, twenty wait');
  assert.ok(refused.every(({ reason }) => reason instanceof PasswordsBusyError));
  assert.equal(isBusy(), false);
});
