import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { configurationProblems, loadConfig } from './config.ts';

const secret = 'hunter2-hunter2-hunter2';
const fingerprint = 'ab'.repeat(32);
const withColons = 'AB:'.repeat(32).slice(0, -1);

type Change = Record<string, string>;

function environmentOf(change: Change, others: Change = {}): Change {
  const settings = {
    URL: 'https://api.operator.example/mm',
    ACCOUNT: 'organisationid@1234',
    SECRET: 'x',
    ...change,
  };
  const named = Object.entries(settings).map(([name, value]) => [
    `OPERATOR_CVMOVEL_${name}`,
    value,
  ]);
  return { ...Object.fromEntries(named), ...others };
}

const authOf = (change: Change, others?: Change) =>
  loadConfig(environmentOf(change, others)).operators.CVMOVEL!.callbackAuth;
const problemsOf = (change: Change, others?: Change) =>
  configurationProblems(environmentOf(change, others));

const proxied = { TRUST_PROXY: '10.0.0.7' };

test('reads and normalizes the settings that authenticate callbacks', () => {
  assert.deepEqual(
    authOf(
      {
        CALLBACK_ADDRESSES: '203.0.113.7, 2001:db8::/32',
        CALLBACK_SECRET: secret,
        CALLBACK_CERTIFICATE: `${withColons}, ${'0f'.repeat(32)}`,
      },
      proxied,
    ),
    {
      addresses: ['203.0.113.7', '2001:db8::/32'],
      secret,
      certificates: [fingerprint, '0f'.repeat(32)],
    },
  );
});

test('reads the callback secret from a file, and refuses a second source', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-secret-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const CALLBACK_SECRET_FILE = join(folder, 'secret');
  const problem = (change: Change) => problemsOf({ CALLBACK_SECRET_FILE, ...change }).join();
  assert.match(problem({}), /^OPERATOR_CVMOVEL_CALLBACK_SECRET_FILE names .*ENOENT.*For example/);
  for (const wrong of ['hunter2\n', `${secret}\n${secret}`]) {
    writeFileSync(CALLBACK_SECRET_FILE, wrong);
    assert.match(
      problem({}),
      /^OPERATOR_CVMOVEL_CALLBACK_SECRET_FILE must name .*16 char.*example/,
    );
    assert.doesNotMatch(problem({}), /hunter/);
  }
  writeFileSync(CALLBACK_SECRET_FILE, `${secret}\n`);
  assert.equal(authOf({ CALLBACK_SECRET_FILE }).secret, secret);
  assert.match(problem({ CALLBACK_SECRET: secret }), /_FILE and \w+ are both set: keep one/);
});

test('requires authenticated callbacks from an operator that cannot be queried', () => {
  const query = { QUERY: 'none' };
  const [problem = '', ...others] = problemsOf(query);
  assert.deepEqual(others, []);
  assert.match(problem, /^OPERATOR_CVMOVEL_QUERY can be none only if callbacks are authenticated/);
  assert.match(problem, /For example: OPERATOR_CVMOVEL_CALLBACK_ADDRESSES=203\.0\.113\.7$/);
  const proofs = [
    { CALLBACK_ADDRESSES: '203.0.113.7' },
    { CALLBACK_SECRET: secret },
    { CALLBACK_CERTIFICATE: fingerprint },
  ];
  for (const proof of proofs) {
    assert.deepEqual(problemsOf({ ...query, ...proof }, proxied), []);
    assert.match(
      problemsOf({ ...query, ...proof, MODE: 'polling' }, proxied).join(),
      /^OPERATOR_CVMOVEL_MODE must be callback with .*For example: OPERATOR_CVMOVEL_MODE=callback$/,
    );
  }
  assert.equal(
    loadConfig(environmentOf({ ...query, ...proofs[0]! })).operators.CVMOVEL?.query,
    'none',
  );
  // Reported once: a setting with a wrong value is not also reported as missing.
  assert.equal(problemsOf({ ...query, CALLBACK_ADDRESSES: 'operator.example' }).length, 1);
});

test('requires a trusted proxy for callback certificates', () => {
  const change = { CALLBACK_CERTIFICATE: fingerprint };
  assert.match(
    problemsOf(change).join(),
    /^TRUST_PROXY is required with OPERATOR_CVMOVEL_CALLBACK_CERTIFICATE.*For example: TRUST_PROXY=/,
  );
  assert.deepEqual(problemsOf(change, proxied), []);
  assert.equal(problemsOf(change, { TRUST_PROXY: 'proxy' }).length, 1, 'reported once');
});

test('refuses address and certificate checks if every proxy is trusted', () => {
  for (const TRUST_PROXY of ['true', '0.0.0.0/1,128.0.0.0/1', '10.0.0.7,8000::/1']) {
    for (const setting of ['CALLBACK_ADDRESSES', 'CALLBACK_CERTIFICATE']) {
      const value = setting === 'CALLBACK_ADDRESSES' ? '203.0.113.7' : fingerprint;
      assert.match(
        problemsOf({ [setting]: value }, { TRUST_PROXY }).join(),
        new RegExp(`^TRUST_PROXY must name the proxies with OPERATOR_CVMOVEL_${setting}:.*example`),
      );
    }
    assert.deepEqual(problemsOf({ CALLBACK_SECRET: secret }, { TRUST_PROXY }), []);
  }
});
