import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { StartError } from '../errors/start-error.ts';
import { loadConfig } from './config.ts';
import {
  type LiveOperatorName,
  liveOperatorNames,
  operatorCatalogue,
} from './operator-catalogue.ts';
import { usualFacts } from './operator-facts.ts';
import { operatorVariables } from './operator-settings.ts';

const fingerprint = 'AB'.repeat(32);
type Change = Record<string, string | undefined>;

const complete = {
  URL: 'https://api.operator.example/v1.2/mm/',
  ACCOUNT: 'organisationid@1234',
  SECRET: 'hunter2',
};

function environmentOf(operator: LiveOperatorName, change: Change): Record<string, string> {
  const settings = Object.entries({ ...complete, ...change });
  return Object.fromEntries(
    settings.flatMap(([name, value]) =>
      value === undefined ? [] : [[`OPERATOR_${operator}_${name}`, value]],
    ),
  );
}

const settingsOf = (operator: LiveOperatorName, change: Change = {}) =>
  loadConfig(environmentOf(operator, change)).operators;

/** The lines of the start error. */
function problemsOf(environment: Record<string, string>): string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    assert.ok(error instanceof StartError);
    assert.doesNotMatch(error.message, /hunter/, 'never repeats a secret');
    return error.message.split('\n').filter((line) => line.startsWith('- '));
  }
  throw new Error('expected a problem');
}

/** Asserts one problem that begins with the variable, states this rule, and ends with an example. */
function refuses(operator: LiveOperatorName, change: Change, setting: string, says: RegExp): void {
  const name = `OPERATOR_${operator}_${setting}`;
  const [problem = '', ...others] = problemsOf(environmentOf(operator, change));
  assert.deepEqual(others, []);
  assert.ok(problem.startsWith(`- ${name} `), problem);
  assert.match(problem, says);
  assert.match(problem, new RegExp(`For example: OPERATOR_${operator}_\\w+=.+$`), problem);
}

for (const operator of liveOperatorNames) {
  test(`${operator}: needs only URL, account and secret`, () => {
    assert.deepEqual(settingsOf(operator), {
      [operator]: {
        adapter: operatorCatalogue[operator].adapter,
        url: 'https://api.operator.example/v1.2/mm',
        auth: 'api-key',
        clientId: undefined,
        secret: 'hunter2',
        tokenUrl: undefined,
        account: { key: 'organisationid', value: '1234' },
        mode: 'callback',
        maxCalls: 32,
        currencies: operatorCatalogue[operator].currencies.split(','),
        deduplicates: false,
        query: 'full',
        callbackAuth: { addresses: [], secret: undefined, certificates: [] },
        facts: usualFacts,
      },
    });
  });

  test(`${operator}: names a missing setting, with an example`, () => {
    refuses(operator, { ACCOUNT: undefined }, 'ACCOUNT', /is required with OPERATOR_\w+_URL/);
    refuses(
      operator,
      { SECRET: undefined },
      'SECRET',
      /is required with .*_URL, here or as a file/,
    );
    refuses(operator, { AUTH: 'basic' }, 'CLIENT_ID', /is required with basic/);
    const oauth2 = { AUTH: 'oauth2', CLIENT_ID: 'zimbo' };
    refuses(operator, oauth2, 'TOKEN_URL', /is required with oauth2/);
    const tokenUrl = 'https://api.operator.example/token';
    refuses(operator, { AUTH: 'oauth2', TOKEN_URL: tokenUrl }, 'CLIENT_ID', /required with oauth2/);
    refuses(
      operator,
      { TOKEN_URL: tokenUrl },
      'TOKEN_URL',
      /only used with OPERATOR_\w+_AUTH=oauth2/,
    );
  });

  test(`${operator}: refuses settings without the URL`, () => {
    const others = {
      ACCOUNT: complete.ACCOUNT,
      ADAPTER: 'gsma',
      SECRET: 'hunter2',
      CLIENT_ID: 'zimbo',
      TOKEN_URL: 'https://api.operator.example/token',
      AUTH: 'api-key',
      MODE: 'callback',
      MAX_CALLS: '32',
      CURRENCIES: 'CVE',
      QUERY: 'full',
      DEDUPLICATES: 'false',
      CALLBACK_ADDRESSES: '203.0.113.7',
      CALLBACK_SECRET: 'hunter2-hunter2-hunter2',
      CALLBACK_CERTIFICATE: fingerprint,
      MIN_AMOUNT: '100',
      MAX_AMOUNT: '5000000',
      CONFIRMATION_SECONDS: '120',
      PROMPT_PT: 'Marque *123#.',
      PROMPT_EN: 'Dial *123#.',
    };
    const known = Object.keys(operatorVariables).filter((name) => name.includes(operator));
    assert.equal(Object.keys(others).length, known.length - 1, 'every setting but the URL');
    const none = { URL: undefined, ACCOUNT: undefined, SECRET: undefined };
    for (const [name, value] of Object.entries(others)) {
      const alone = { ...none, [name]: value };
      refuses(operator, alone, 'URL', new RegExp(`required with OPERATOR_${operator}_${name}\\.`));
    }
    const several = { ...none, MODE: 'polling', AUTH: 'basic', CURRENCIES: 'AOA' };
    const named = ['AUTH, ', 'MODE and ', 'CURRENCIES.'].map(
      (name) => `OPERATOR_${operator}_${name}`,
    );
    refuses(operator, several, 'URL', new RegExp(`required with ${named.join('')}`));
  });

  test(`${operator}: names a wrong setting, with the rule and an example`, () => {
    const wrong: Record<string, string[]> = {
      URL: [
        'operator.example',
        'http://operator.example/mm',
        'http://10.0.0.1/mm',
        'http://127.0.0.1.example/mm',
        'https://user:hunter2@operator.example/mm',
        'https://operator.example/mm?key=1',
        'ftp://operator.example',
      ],
      ACCOUNT: ['1234', 'organisationid', 'organisationid@', 'account@1234', 'msisdn@12 34'],
      ADAPTER: ['soap', 'GSMA', 'constructor'],
      AUTH: ['none', 'Basic', 'oauth'],
      CLIENT_ID: ['two\nlines', 'ção'],
      SECRET: ['two\nlines'],
      TOKEN_URL: ['http://operator.example/token', 'token'],
      MODE: ['push', 'Polling'],
      MAX_CALLS: ['0', '1001', 'many', '1.5'],
      CURRENCIES: ['EUR', 'cve', 'CVE;AOA', 'CVE,'],
      QUERY: ['no', 'None', 'true'],
      DEDUPLICATES: ['yes', '1', 'TRUE'],
      CALLBACK_ADDRESSES: [
        'operator.example',
        '203.0.113.0/33',
        '203.0.113.0/0',
        '1.2.3.4,',
        '::1/129',
      ],
      CALLBACK_SECRET: ['hunter2', 'fifteen-letters', 'two-long-hunter-lines\nof-a-secret'],
      CALLBACK_CERTIFICATE: [fingerprint.slice(1), `${fingerprint},`, `sha256:${fingerprint}`],
    };
    for (const [name, texts] of Object.entries(wrong)) {
      for (const text of texts) {
        const environment = {
          ...environmentOf(operator, { [name]: text }),
          TRUST_PROXY: '10.0.0.7',
        };
        const [problem = '', ...others] = problemsOf(environment);
        assert.deepEqual(others, [], text);
        assert.ok(problem.startsWith(`- OPERATOR_${operator}_${name} must be `), problem);
        assert.match(problem, new RegExp(`For example: OPERATOR_${operator}_${name}=`), text);
      }
    }
  });

  test(`${operator}: names an invalid fee, with an example`, () => {
    for (const fee of ['2%', '10001', '200+', '-1', '200+1.5']) {
      const [problem = ''] = problemsOf({ [`FEE_${operator}`]: fee });
      assert.match(
        problem,
        new RegExp(`^- FEE_${operator} must be .*For example: FEE_${operator}=`),
      );
    }
  });

  test(`${operator}: reports an unknown name as a typo`, () => {
    const problem = problemsOf({
      ...environmentOf(operator, {}),
      [`OPERATOR_${operator}_KEY`]: 'x',
    });
    assert.match(
      problem.join(),
      new RegExp(`OPERATOR_${operator}_KEY is not a setting. Is it a typo`),
    );
  });
}

test('reads the secret from a file, and refuses a second source', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-secret-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'secret');
  const fromFile = { SECRET: undefined, SECRET_FILE: file };
  const problems = (change: Change) => problemsOf(environmentOf('CVMOVEL', change));

  assert.match(problems(fromFile).join(), /OPERATOR_CVMOVEL_SECRET_FILE names .*ENOENT/);
  for (const nothing of ['', '\n', 'two\nlines', 'n\u00e3o']) {
    writeFileSync(file, nothing);
    assert.match(problems(fromFile).join(), /^- OPERATOR_CVMOVEL_SECRET_FILE .*For example/);
  }
  writeFileSync(file, 'hunter3\n');
  assert.equal(settingsOf('CVMOVEL', fromFile).CVMOVEL?.secret, 'hunter3');
  assert.match(
    problems({ SECRET_FILE: file }).join(),
    /^- OPERATOR_CVMOVEL_SECRET_FILE and \w+ are both set: keep one/,
  );
});

test('reports mistakes in the settings of both operators at once', () => {
  const environment = {
    ...environmentOf('CVMOVEL', { ACCOUNT: undefined }),
    ...environmentOf('UNITEL_TMAIS', { URL: 'x' }),
  };
  assert.equal(problemsOf(environment).length, 2);
});

test('takes what merchants and customers should know of an operator', () => {
  const facts = {
    MIN_AMOUNT: '1000',
    MAX_AMOUNT: '5000000',
    CONFIRMATION_SECONDS: '120',
    PROMPT_PT: 'Marque *123#.',
    PROMPT_EN: 'Dial *123#.',
  };
  assert.deepEqual(settingsOf('CVMOVEL', facts).CVMOVEL?.facts, {
    minAmountMinor: 1_000,
    maxAmountMinor: 5_000_000,
    confirmationSeconds: 120,
    prompt: { pt: 'Marque *123#.', en: 'Dial *123#.' },
  });
});

test('refuses amounts, times and prompts that cannot be', () => {
  refuses('CVMOVEL', { MIN_AMOUNT: '0' }, 'MIN_AMOUNT', /must be an integer from 1 to 100000000/);
  refuses('CVMOVEL', { MAX_AMOUNT: '10.50' }, 'MAX_AMOUNT', /must be an integer/);
  const crossed = { MIN_AMOUNT: '500', MAX_AMOUNT: '400' };
  refuses('CVMOVEL', crossed, 'MIN_AMOUNT', /must be at most OPERATOR_CVMOVEL_MAX_AMOUNT, .+ 400/);
  refuses('CVMOVEL', { CONFIRMATION_SECONDS: '2m' }, 'CONFIRMATION_SECONDS', /must be an integer/);
  refuses('CVMOVEL', { PROMPT_PT: 'a\nb' }, 'PROMPT_PT', /must be one line of 1 to 200 characters/);
});
