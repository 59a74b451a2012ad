/** Cases that wait for a person, and how they are shown: `zimbo review` and `zimbo review show`. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { formatId } from '../../src/platform/values/ids.ts';
import { runZimbo } from '../support/process.ts';
import { terminalCode } from '../support/zimbo.ts';
import { oneOfEach, reviewWorld } from './review-world.ts';

test("lists each case once, with our records and the operator's answer", async (context) => {
  const world = await reviewWorld(context);
  const made = await oneOfEach(world);
  const rows = await world.list();
  const pi = (id: string) => formatId('pi', id);
  const [unclear, debited] = [pi(made.unclear.id), pi(made.debited.id)];
  assert.deepEqual(
    rows.map(({ kind, subject, ledger, operatorSays }) => [kind, subject.id, ledger, operatorSays]),
    [
      [
        'UNCLEAR',
        unclear,
        'CANCELLED, 2,500.00 CVE, sent 5 d ago, queried 40 times',
        'no usable answer',
      ],
      [
        'UNANSWERED',
        pi(made.unanswered.id),
        'CANCELLED, 100.00 CVE, sent 2 d ago, not queried yet',
        'no outcome',
      ],
      [
        'CLASH',
        pi(made.clashing.id),
        `booked as the debit of payment ${debited}`,
        'succeeded, 100.00 CVE, TX-1001',
      ],
      ['CONTRADICTION', debited, 'DEBITED, 100.00 CVE, TX-1001', 'succeeded, 20.00 CVE, TX-1001'],
      [
        'REFUSED',
        made.refusal.id,
        'FAILED; 100.00 CVE in suspense',
        'refused to return it (OPERATOR_REJECTED)',
      ],
      [
        'UNKNOWN_REFERENCE',
        made.held.id,
        'nothing under this reference; 77.00 CVE in suspense',
        'succeeded, 77.00 CVE, TX-5005',
      ],
      [
        'CONTRADICTION',
        formatId('re', made.refund.id),
        'OPEN',
        'completed, 40 CVE, TX-77\\u{1b}[2J, by callback',
      ],
    ],
  );
  const ages = rows.map(({ since }) => since);
  assert.deepEqual(ages, ages.toSorted(), 'the oldest first');
  assert.deepEqual(await world.list('--mode', 'test'), []);
  const same = await runZimbo(['payments', 'review', '--json'], world.environment);
  assert.deepEqual(JSON.parse(same.stdout), rows, 'under its former name too');
});

test('shows a table with ids to copy, and the remedy for each case', async (context) => {
  const world = await reviewWorld(context);
  assert.equal((await world.zimbo('review')).stdout, 'Nothing waits for a person.\n');
  await oneOfEach(world);
  const rows = await world.list();
  const { stdout } = await world.zimbo('review');
  const lines = stdout.trimEnd().split('\n');
  assert.deepEqual(lines.slice(0, 5), [
    'ID                                    WHAT               OPERATOR  AGE',
    `${rows[0]!.id}         UNCLEAR            CVMOVEL   2 d`,
    `  of        payment ${rows[0]!.subject.id} of Loja`,
    '  ledger    CANCELLED, 2,500.00 CVE, sent 5 d ago, queried 40 times',
    '  operator  no usable answer',
  ]);
  assert.equal(lines.at(-1), '7 wait for a person. What to do: zimbo review show ID');
  assert.deepEqual(
    lines.filter((line) => line.length > 80),
    [],
  );
  assert.ok(!stdout.includes(terminalCode), 'nobody else writes to the terminal');
  for (const { id, kind, subject } of rows) {
    const shown = await world.zimbo('review', 'show', id);
    assert.equal(shown.code, 0, shown.all);
    assert.match(shown.stdout, new RegExp(`^${kind}  ${id}  `));
    assert.ok(shown.stdout.includes(subject.id));
    // The commands accept the suggested arguments.
    assert.match(
      shown.stdout,
      new RegExp(`^  zimbo review (resolve ${subject.id} --\\w|close ${id} --reason)`, 'm'),
    );
  }
  const { id, subject } = rows[0]!;
  const [json] = JSON.parse((await world.zimbo('review', 'show', subject.id, '--json')).stdout);
  assert.equal(json.id, id, 'found by what it is about too');
});

test('explains in words that an item does not exist, or is not open', async (context) => {
  const { harness, zimbo } = await reviewWorld(context);
  const debited = formatId('pi', (await harness.debited('TX-1')).id);
  for (const [command, id, ...options] of [
    ['show', 'pi_1'],
    ['resolve', `re_${'0'.repeat(26)}`, '--not-refunded'],
    ['close', randomUUID(), '--reason', 'x'],
  ]) {
    const { code, stderr } = await zimbo('review', command!, id!, ...options);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^There is no review item, payment, refund, disbursement or reversal ".*"\.\n"zimbo review" lists/,
    );
  }
  assert.match((await zimbo('review', 'show', debited)).all, /^1 No open case is about pi_\w+/);
  assert.match(
    (await zimbo('review', 'close', debited, '--reason', 'x')).all,
    /^1 There is no review item about/,
  );
});
