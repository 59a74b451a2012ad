import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeDifference,
  differencesOf,
  type RunningProcess,
} from '../../operations/doctor/process-registry.ts';
import { loadConfig } from './config.ts';
import { sharedSettings } from './shared-settings.ts';

const key: Buffer = Buffer.alloc(32, 7);
const otherKey: Buffer = Buffer.alloc(32, 8);
const operator = {
  OPERATOR_CVMOVEL_URL: 'https://api.operator.example/v1.2/mm',
  OPERATOR_CVMOVEL_ACCOUNT: 'organisationid@1234',
  OPERATOR_CVMOVEL_AUTH: 'oauth2',
  OPERATOR_CVMOVEL_CLIENT_ID: 'zimbo-cv',
  OPERATOR_CVMOVEL_SECRET: 'hunter2',
  OPERATOR_CVMOVEL_CALLBACK_SECRET: 'correct horse battery staple',
  OPERATOR_CVMOVEL_TOKEN_URL: 'https://api.operator.example/oauth/token',
};

function settingsOf(environment: NodeJS.ProcessEnv, current = key, previous?: Buffer) {
  return sharedSettings(loadConfig(environment, 'command'), { current, previous });
}

function processOf(settings: Record<string, string>, change: Partial<RunningProcess> = {}) {
  const base = {
    id: 'x',
    role: 'all',
    host: 'a',
    pid: 1,
    version: '1.0.0',
    clockOffsetMs: 0,
    memoryBytes: 0,
  };
  return { ...base, settings, ...change };
}

/** The reported differences between two processes with these environments. */
function compared(
  [first, firstKey]: [NodeJS.ProcessEnv, Buffer?],
  [second, secondKey]: [NodeJS.ProcessEnv, Buffer?],
) {
  return differencesOf([
    processOf(settingsOf(first, firstKey)),
    processOf(settingsOf(second, secondKey), { role: 'worker', host: 'b', pid: 2 }),
  ]).map(describeDifference);
}

test('reports settings that differ, with both values and the processes that have them', () => {
  for (const [name, there, here] of [
    ['OPERATOR_TIMEOUT_SECONDS', '20', '10'],
    ['PAYMENT_EXPIRY_SECONDS', '600', '300'],
    ['PAYMENT_EXPIRY_GRACE_SECONDS', '120', '60'],
    ['FEE_MOCK', '200+50', 'basisPoints 200, fixedMinor 0'],
    ['SETTLEMENT_HOUR', '23', '2'],
    ['SETTLEMENT_TIME_ZONE', 'Africa/Luanda', 'Atlantic/Cape_Verde'],
    ['RETENTION_DAYS', 'off', '30'],
    ['PAYOUT_ACCOUNT_CVE', 'CV64000500000020108215144;Zimbo', 'not set'],
    ['PAYMENT_REVIEW_HOURS', '6', '24'],
    ['PAYMENT_WATCH_HOURS', '96', '72'],
    ['SIMULATOR_DELAY_MS', '0', '2000'],
    ['PUBLIC_URL', 'https://pay.example.cv', 'http://127.0.0.1:3000'],
    ['WEBHOOK_ALLOW_PRIVATE', 'true', 'false (live), true (test)'],
    ['PAGE_ATTEMPTS_PER_PHONE', '3/10', 'not set'],
  ] as const) {
    const [said = 'nothing'] = compared([{}], [{ [name]: there }]);
    assert.ok(said.startsWith(`${name} differs: ${here} in all on a (pid 1); `), said);
    assert.match(said, / in worker on b \(pid 2\)$/);
    assert.deepEqual(compared([{ [name]: there }], [{ [name]: there }]), []);
  }
});

test('ignores different spellings of a value, and settings local to a process', () => {
  assert.deepEqual(compared([{ FEE_MOCK: '200' }], [{ FEE_MOCK: '200+0' }]), []);
  const own = { ZIMBO_ROLE: 'api', DATABASE_CONNECTIONS: '4', LOG_LEVEL: 'debug' };
  const together = {
    DATABASE_URL: 'postgres://zimbo@db/zimbo',
    ZIMBO_SECRET_KEY: '01'.repeat(32),
    WEBHOOK_ALLOW_PRIVATE: 'false',
  };
  assert.deepEqual(compared([together], [{ ...together, ...own }]), []);
});

test('reports an operator that only one process has, or that two configure differently', () => {
  const [said] = compared([{}], [operator]);
  assert.match(said!, /^OPERATOR_CVMOVEL_URL differs: not set in all .*; https:\/\/api/);
  const other = { ...operator, OPERATOR_CVMOVEL_ACCOUNT: 'organisationid@77' };
  assert.match(
    compared([operator], [other])[0]!,
    /value 1234 in all .*; key organisationid, value 77 in worker/,
  );
  const polling = { ...operator, OPERATOR_CVMOVEL_MODE: 'polling' };
  assert.match(compared([operator], [polling])[0]!, /^OPERATOR_CVMOVEL_MODE differs: callback/);
  const repeated = { ...operator, OPERATOR_CVMOVEL_DEDUPLICATES: 'true' };
  assert.match(compared([operator], [repeated])[0]!, /_DEDUPLICATES differs: false in all/);
  const known = { ...operator, OPERATOR_CVMOVEL_CALLBACK_ADDRESSES: '203.0.113.7' };
  assert.match(compared([operator], [known])[0]!, /_ADDRESSES differs: not set .*; 203\.0/);
});

test('shows only a keyed digest of a secret', () => {
  const settings = settingsOf(operator, key, otherKey);
  const text = JSON.stringify(settings);
  const forms = [key, otherKey].flatMap((each) =>
    (['hex', 'base64', 'base64url'] as const).map((encoding) => each.toString(encoding)),
  );
  for (const form of ['hunter2', 'correct horse', ...forms])
    assert.ok(!text.includes(form.slice(0, 20)), form);
  const digest = /^digest [\w-]{12}$/;
  assert.match(settings.OPERATOR_CVMOVEL_SECRET!, digest);
  assert.match(settings.OPERATOR_CVMOVEL_CALLBACK_SECRET!, digest);
  assert.match(settings.ZIMBO_SECRET_KEY!, digest);
  assert.match(settings.ZIMBO_SECRET_KEY_PREVIOUS!, digest);
  const elsewhere = settingsOf(operator, otherKey);
  assert.notEqual(elsewhere.OPERATOR_CVMOVEL_SECRET, settings.OPERATOR_CVMOVEL_SECRET);
});

test('reports a different operator secret or secret key, each once', () => {
  const other = { ...operator, OPERATOR_CVMOVEL_SECRET: 'hunter3' };
  const [said, ...more] = compared([operator], [other]);
  assert.match(said!, /^OPERATOR_CVMOVEL_SECRET differs: digest \S+ in all/);
  assert.deepEqual(more, []);
  const keys = compared([operator, key], [operator, otherKey]);
  assert.equal(keys.length, 1, 'changes all digests with the key');
  assert.match(keys[0]!, /^ZIMBO_SECRET_KEY differs/);
});

test('reports different versions, but not settings that only one of them knows', () => {
  const settings = settingsOf({});
  const newer = processOf({ ...settings, A_NEW_SETTING: '1' }, { version: '2.0.0' });
  assert.deepEqual(differencesOf([processOf(settings), newer]).map(describeDifference), [
    'the version of Zimbo differs: 1.0.0 in all on a (pid 1); 2.0.0 in all on a (pid 1)',
  ]);
});
