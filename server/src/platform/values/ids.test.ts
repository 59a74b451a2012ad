import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { derivedUuid, firstUuidAt, formatId, instantOf, parseId, randomIds } from './ids.ts';

const prefixes = ['cs', 'pr', 'pi', 're', 'se', 'we', 'evt', 'dl', 'ak', 'me'] as const;
const lastInstantMs = 0xffffffffffff;

/** Any 128 bits. */
const uuids = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((bits) => {
  const hex = bits.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
});
const instants = fc.integer({ min: 0, max: lastInstantMs });

const order = (a: string, b: string) => Math.sign(a < b ? -1 : a > b ? 1 : 0);

test('any 128 bits come back from the id that shows them', () => {
  fc.assert(
    fc.property(uuids, fc.constantFrom(...prefixes), (uuid, prefix) => {
      const id = formatId(prefix, uuid);
      assert.match(id, new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
      assert.equal(parseId(prefix, id), uuid);
    }),
  );
});

test('ids are written as TypeID writes them', () => {
  const uuid = '0188bac7-4afa-78aa-bc3b-bd1eef28d881';
  assert.equal(formatId('pi', uuid), 'pi_01h2xcejqtf2nbrexx3vqjhp41');
  assert.equal(formatId('pi', 'ffffffff-ffff-ffff-ffff-ffffffffffff'), `pi_7${'z'.repeat(25)}`);
  assert.equal(formatId('pi', '00000000-0000-0000-0000-000000000000'), `pi_${'0'.repeat(26)}`);
});

test('ids sort as their UUIDs do', () => {
  fc.assert(
    fc.property(uuids, uuids, (a, b) => {
      assert.equal(order(formatId('pi', a), formatId('pi', b)), order(a, b));
    }),
  );
});

test('two different texts are never the same id', () => {
  const unit = fc.constantFrom(...Array.from('0123456789abcdefghjkmnpqrstvwxyz'));
  const texts = fc.string({ unit, minLength: 26, maxLength: 26 });
  fc.assert(
    fc.property(texts, (text) => {
      const uuid = parseId('pi', `pi_${text}`);
      if (text.charAt(0) > '7') assert.equal(uuid, undefined);
      else assert.equal(formatId('pi', uuid!), `pi_${text}`);
    }),
  );
});

test('what is not an id of this kind is refused', () => {
  const good = 'pi_01h2xcejqtf2nbrexx3vqjhp41';
  assert.notEqual(parseId('pi', good), undefined);
  const bad = [
    '',
    'pi',
    'pi_',
    'we_01h2xcejqtf2nbrexx3vqjhp41',
    'p_01h2xcejqtf2nbrexx3vqjhp41',
    'pi-01h2xcejqtf2nbrexx3vqjhp41',
    'pi_01h2xcejqtf2nbrexx3vqjhp4',
    'pi_01h2xcejqtf2nbrexx3vqjhp411',
    'PI_01h2xcejqtf2nbrexx3vqjhp41',
    'pi_01H2XCEJQTF2NBREXX3VQJHP41',
    'pi_81h2xcejqtf2nbrexx3vqjhp41',
    'pi_z1h2xcejqtf2nbrexx3vqjhp41',
    ' pi_01h2xcejqtf2nbrexx3vqjhp4',
    'pi_01h2xcejqtf2nbrexx3vqjhp4\u{1f600}',
    'pi_01h2xcejqtf2nbrexx3vqjhp4\n',
    ...['i', 'l', 'o', 'u', '-', '_', 'é', '\0'].map((letter) => good.slice(0, -1) + letter),
  ];
  for (const id of bad) assert.equal(parseId('pi', id), undefined, JSON.stringify(id));
  for (const prefix of prefixes) {
    if (prefix !== 'pi') assert.equal(parseId(prefix, good), undefined, prefix);
  }
});

test('ids grow within a millisecond, and none comes twice', () => {
  const ids = randomIds();
  const nowMs = Date.parse('2026-11-21T09:30:00.123Z');
  const made = Array.from({ length: 20_000 }, () => ids.next(nowMs));
  assert.equal(new Set(made).size, made.length);
  assert.deepEqual(made.toSorted(), made);
  assert.ok(ids.next(nowMs + 1) > made.at(-1)!, 'they grow from one millisecond to the next too');
});

test('two sources do not give the same id at the same instant', () => {
  const sources = Array.from({ length: 1_000 }, () => randomIds());
  assert.equal(new Set(sources.map((ids) => ids.next(1))).size, sources.length);
});

test('an id is a UUIDv7 from which its instant can be read', () => {
  fc.assert(
    fc.property(instants, (instantMs) => {
      const uuid = randomIds().next(instantMs);
      assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(instantOf(uuid), instantMs);
    }),
  );
});

test('the first UUID at an instant parts the ids made from then on from those made before', () => {
  fc.assert(
    fc.property(instants, instants, (madeMs, boundMs) => {
      const uuid = randomIds().next(madeMs);
      assert.equal(uuid >= firstUuidAt(boundMs), madeMs >= boundMs);
      assert.ok(uuid >= firstUuidAt(madeMs));
      assert.ok(madeMs === lastInstantMs || uuid < firstUuidAt(madeMs + 1));
    }),
  );
});

test('an instant that no id can have gives a UUID all the same', () => {
  assert.equal(firstUuidAt(-1), '00000000-0000-0000-0000-000000000000');
  assert.equal(firstUuidAt(8.64e15), 'ffffffff-ffff-0000-0000-000000000000');
});

test('a derived reference is the same each time, and another for another name or namespace', () => {
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  // The example of RFC 9562, appendix A.4.
  assert.equal(derivedUuid(dns, 'www.example.com'), '2ed6657d-e927-568b-95e1-2665a8aea6a2');
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.uuid(),
      fc.string(),
      fc.string(),
      (namespace, other, name, otherName) => {
        fc.pre(namespace !== other && name !== otherName);
        const derived = derivedUuid(namespace, name);
        assert.equal(derivedUuid(namespace, name), derived);
        assert.notEqual(derivedUuid(namespace, otherName), derived);
        assert.notEqual(derivedUuid(other, name), derived);
      },
    ),
  );
});
