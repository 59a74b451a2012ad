import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { outcomeOf } from '../../operator-simulator/src/outcomes.ts';
import type { Transaction } from '../../operator-simulator/src/records.ts';
import { secret, testSimulator } from '../../operator-simulator/test/support.ts';

const file = join(import.meta.dirname, '..', '..', 'docs', 'operator-simulator.md');
const page = readFileSync(file, 'utf8');
const [ofDebits = '', ofDisbursements = ''] = page.split('\nOf a disbursement');

const lacking = ['bash', 'curl'].filter((program) => spawnSync(program, ['--version']).error);

test('ends the walk of the page on the operator simulator with the debit', {
  skip: lacking.length > 0 && `${lacking.join(', ')} is not installed`,
}, async (context) => {
  const { url } = await testSimulator(context);
  const blocks = [...page.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block);
  const bash = spawn('bash', ['-c', blocks.join('\n')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
    env: {
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      OPERATOR_CVMOVEL_URL: url,
      OPERATOR_CVMOVEL_SECRET: secret,
    },
  });
  const [output, errors] = await Promise.all([bash.stdout.toArray(), bash.stderr.toArray()]);
  assert.equal(errors.join(''), '');
  const said = output.join('');
  assert.match(said, /^\{"serverCorrelationId":"[\w-]{36}","status":"pending"/);
  assert.match(said, /"transactionStatus":"completed","amount":"15\.2","currency":"CVE"/);
  assert.match(said, /^\{"link":"\/transactions\/SIM0000000001"\}$/m);
  assert.match(said, /"currentBalance":"15\.2"/);
  assert.match(said, /"debits":1,"debitedMinor":"1520"/);
});

/** The error of each failing suffix in a table of the page. */
const saidOfPhones = (text: string) =>
  Object.fromEntries(
    Array.from(
      text.matchAll(/^\| (\d{3}) \| (?:The customer never answers: )?`failed`(?:: `([\w/]+)`)?/gm),
      ([, suffix, error]) => [suffix, error],
    ),
  );

test('names every failing phone of a recipient with its error on the page', () => {
  const done: Record<string, string | undefined> = {};
  for (let number = 0; number < 1_000; number++) {
    const suffix = String(number).padStart(3, '0');
    const phone = { kind: 'disbursement', payer: `+2389910${suffix}` } as const;
    const error = outcomeOf({ ...phone, status: 'pending' } as Transaction, false);
    if (error) done[suffix] = `${error.category}/${error.code}`;
  }
  assert.deepEqual(saidOfPhones(ofDisbursements), done);
});

test('names every failing phone with its error on the page on the operator simulator', () => {
  const said = saidOfPhones(ofDebits);
  const done: Record<string, string | undefined> = {};
  for (let number = 0; number < 1_000; number++) {
    const suffix = String(number).padStart(3, '0');
    const debit = { kind: 'merchantpay', payer: `+2389910${suffix}` } as Transaction;
    const error = outcomeOf(debit, false);
    const waits = error && outcomeOf(debit, true) === undefined;
    if (error && suffix !== '159') {
      done[suffix] = waits ? undefined : `${error.category}/${error.code}`;
    }
  }
  assert.deepEqual(said, done);
});
