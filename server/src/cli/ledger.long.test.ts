import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../../test/support/cleanup.ts';
import { testGateway } from '../../test/support/gateway.ts';
import { heading, makeLedger, statementLines } from '../../test/support/statement.ts';
import { runZimbo } from '../../test/support/zimbo.ts';
import { readCsv } from '../platform/formats/csv.ts';

/** The ledger of a running gateway, a command line, and a folder for files. */
async function ledger(context: TestContext) {
  const gateway = await testGateway(context);
  const payments = await makeLedger(gateway);
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-ledger-'));
  cleanUp(context, () => rm(folder, { recursive: true, force: true }));
  const zimbo = async (...args: string[]) => {
    const { ended, output } = runZimbo(context, args, { DATABASE_URL: gateway.databaseUrl });
    return { code: await ended, ...output };
  };
  const statement = async (name: string, lines: string[]) => {
    const file = join(folder, name);
    await writeFile(file, lines.join('\r\n'));
    return file;
  };
  return { ...gateway, ...payments, folder, zimbo, statement };
}

/** Covers everything that a test books. */
const period = ['--from', '2020-01-01', '--to', '2100-01-01'];

test('exits with 0 for a statement that agrees, 1 for differences, 2 for an unreadable file', async (context) => {
  const { database, paid, zimbo, statement } = await ledger(context);
  const lines = await statementLines(database);
  const right = await statement('right.csv', [heading, ...lines]);
  const reconcile = (file: string, ...more: string[]) =>
    zimbo(
      'reconcile',
      '--operator',
      'MOCK',
      '--mode',
      'test',
      '--statement',
      file,
      ...period,
      ...more,
    );

  const agreed = await reconcile(right);
  assert.deepEqual([agreed.code, agreed.stderr], [0, '']);
  assert.match(agreed.stdout, /^Matched +5$/m);
  assert.match(agreed.stdout, /The statement and the ledger agree\.\n$/);

  const wrong = lines.filter((line) => !line.includes('REFUND'));
  wrong.push('X,pi_7zzzzzzzzzzzzzzzzzzzzzzzzz,DEBIT,1.5,CVE,COMPLETED,2026-11-20T09:30:02Z');
  const file = await statement('wrong.csv', [heading, ...wrong]);
  const differing = await reconcile(file);
  assert.deepEqual([differing.code, differing.stderr], [1, '']);
  assert.match(differing.stdout, /^Missing in statement +REFUND|^Missing in statement +- +REFUND/m);
  assert.match(
    differing.stdout,
    /^Missing in ledger +6 +DEBIT +pi_7z+ +X +1\.50 CVE COMPLETED +-$/m,
  );

  const forPrograms = await reconcile(file, '--json');
  assert.equal(forPrograms.code, 1);
  const report = JSON.parse(forPrograms.stdout);
  assert.equal(report.clean, false);
  assert.equal(report.counts.MATCHED, 4);
  assert.equal(report.counts.MISSING_IN_STATEMENT, 1);
  assert.equal(report.differences.length, 2);
  assert.deepEqual(report.differences[0].statement, {
    amount: '1.50',
    currency: 'CVE',
    status: 'COMPLETED',
  });
  assert.deepEqual(JSON.parse((await reconcile(right, '--json')).stdout).differences, []);

  const garbled = await statement('garbled.csv', [heading, lines[0]!, `T,${paid},DEBIT,ten,CVE`]);
  const unreadable = await reconcile(garbled);
  assert.deepEqual([unreadable.code, unreadable.stdout], [2, '']);
  assert.match(unreadable.stderr, /garbled\.csv, line 3: status is ""|line 3: amount is "ten"/);
  const excel = lines.map((line) => line.replaceAll(',', ';').replace(/\.(\d\d;)/, ',$1'));
  const ofExcel = await statement('excel.csv', [`\ufeff${heading.replaceAll(',', ';')}`, ...excel]);
  const read = await reconcile(ofExcel);
  assert.deepEqual([read.code, read.stderr], [0, '']);
});

test('reads a statement from standard input', async (context) => {
  const { database, databaseUrl } = await ledger(context);
  const lines = [heading, ...(await statementLines(database))];
  const args = ['reconcile', '--operator', 'MOCK', '--mode', 'test', '--statement', '-', ...period];
  const piped = async (typed: string) => {
    const { ended, output } = runZimbo(context, args, { DATABASE_URL: databaseUrl }, typed);
    return { code: await ended, ...output };
  };
  const agreed = await piped(lines.join('\n'));
  assert.deepEqual([agreed.code, agreed.stderr], [0, '']);
  assert.match(agreed.stdout, /^Matched +5$/m);
  const wrong = await piped(`${heading}\nx`);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /^standard input, line 2: /);
});

test('warns about a statement without its first or last line', async (context) => {
  const { database, zimbo, statement } = await ledger(context);
  const booked = await database.query<{ atMs: number }>({
    text: `SELECT min(created_at) - interval '1 second' AS "atMs" FROM postings UNION ALL
      SELECT max(created_at) + interval '1 second' FROM postings ORDER BY 1`,
  });
  const lines = await statementLines(database);
  const refund = lines.filter((line) => !line.includes('REFUND'));
  const args = ['reconcile', '--operator', 'MOCK', '--mode', 'test', ...period, '--statement'];
  for (const [index, edge] of [
    [1, '0 were booked before its first completed line and 1 after its last'],
    [0, '1 were booked before its first completed line and 0 after its last'],
  ] as const) {
    // All remaining lines were completed before, or after, the missing ones.
    const at = new Date(booked[1 - index]!.atMs).toISOString();
    const moved = refund.map((line) => line.replace(/[^,]*$/, at));
    const file = await statement(`cut-${index}.csv`, [heading, ...moved]);
    const { code, stdout } = await zimbo(...args, file);
    assert.equal(code, 1);
    assert.match(stdout, /^Missing in statement +1$/m);
    assert.ok(stdout.includes(edge), stdout);
  }
  const file = await statement('whole.csv', [heading, ...lines]);
  for (const left of ['--from', '--to']) {
    const place = args.indexOf(left);
    const { code, stderr } = await zimbo(...args.toSpliced(place, 2), file);
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`required option '${left}`));
  }
});

test('exits with 2 on wrong usage of reconcile, with 1 for an unknown merchant', async (context) => {
  const { zimbo, statement } = await ledger(context);
  const file = await statement('empty.csv', [heading]);
  const wrong = [
    [],
    ['--operator', 'MOCK'],
    ['--operator', 'NOBODY', '--statement', file, ...period],
    ['--operator', 'MOCK', '--statement', file, '--mode', 'both'],
    ['--operator', 'MOCK', '--statement', file, '--currency', 'EUR'],
    ['--operator', 'MOCK', '--statement', file],
    ['--operator', 'MOCK', '--statement', file, '--from', 'yesterday'],
    ['--operator', 'MOCK', '--statement', file, '--from', '2026-11-21', '--to', '2026-11-20'],
    ['--operator', 'MOCK', '--statement', file, '--from', '2026-02-30'],
    ['--operator', 'MOCK', '--statement', `${file}.nothing`, ...period],
    ['--operator', 'MOCK', '--statement', join(file, '..'), ...period],
  ];
  for (const args of wrong) {
    const { code, stdout, stderr } = await zimbo('reconcile', ...args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /--help|cannot be read|before it begins/);
    assert.doesNotMatch(stderr, /^ {4}at /m);
  }
  const merchant = ['--merchant', 'me_7zzzzzzzzzzzzzzzzzzzzzzzzz'];
  const { code, stderr } = await zimbo('reconcile', ...wrong[2]!.with(1, 'MOCK'), ...merchant);
  assert.equal(code, 1);
  assert.match(stderr, /There is no merchant/);
});

test('does not blame the file for a broken database connection', async (context) => {
  const server = createServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanUp(context, () => void server.close());
  const { port } = server.address() as AddressInfo;
  const args = ['reconcile', '--operator', 'MOCK', '--statement', import.meta.filename, ...period];
  const DATABASE_URL = `postgres://zimbo@127.0.0.1:${port}/zimbo`;
  const { ended, output } = runZimbo(context, args, { DATABASE_URL });
  assert.equal(await ended, 1);
  assert.match(output.stderr, /^The database cannot be used/);
});

test('shows balances in major units, for people and programs', async (context) => {
  const { zimbo } = await ledger(context);
  const { code, stdout } = await zimbo('ledger', 'balances');
  assert.equal(code, 0);
  assert.match(stdout, /^me_\w{26} +Loja de teste +test +operator:MOCK +-100\.01 CVE$/m);
  const balances = JSON.parse((await zimbo('ledger', 'balances', '--json')).stdout);
  const of = (account: string) =>
    balances.find((balance: { account: string }) => balance.account === account);
  assert.equal(of('operator:MOCK').balance, '-100.01');
  assert.equal(of('suspense').balance, '0.00');
  assert.equal(of('payable').balance, '97.86');
  const keys = ['id', 'merchantName', 'mode', 'account', 'currency', 'merchantId', 'balance'];
  assert.deepEqual(Object.keys(of('fees')), keys);
});

test('lists a refund that went out after it had FAILED as missing in suspense', async (context) => {
  const { database, small, zimbo } = await ledger(context);
  assert.equal((await zimbo('ledger', 'suspense')).stdout, 'Nothing is in suspense.\n');
  await database.query({
    text: `UPDATE refunds SET operator_refund_id = 'OP-7' WHERE status = 'FAILED'`,
  });
  const { stdout } = await zimbo('ledger', 'suspense');
  const [, row] = stdout.split('\n');
  const shown = /^pi_\w+ +re_\w+ +LATE_REFUND +-7\.50 CVE +\d+ s +- +- +MOCK +OP-7 +me_\w+ +test$/;
  assert.match(row!, shown);
  assert.ok(row!.startsWith(small));
});

test('exports every posting as CSV, to stdout or a complete file', async (context) => {
  const { database, folder, paid, zimbo } = await ledger(context);
  const printed = await zimbo('ledger', 'export', '-');
  assert.deepEqual([printed.code, printed.stderr], [0, '']);
  async function* chunks() {
    yield printed.stdout;
  }
  const rows = (await Array.fromAsync(readCsv(chunks()))).map(({ fields }) => fields);
  const columns = 'created_at,merchant,mode,kind,source,from_account,to_account,amount,currency';
  assert.equal(rows[0]!.join(), columns);
  const [{ count }] = (await database.query({
    text: 'SELECT count(*)::integer AS count FROM postings',
  })) as [{ count: number }];
  assert.equal(rows.length, count + 1);
  const net = rows.find((row) => row[3] === 'debit_net' && row[4] === paid)!;
  assert.deepEqual(net.slice(5), ['operator:MOCK', 'payable', '98.01', 'CVE']);

  const file = join(folder, 'postings.csv');
  const written = await zimbo('ledger', 'export', file);
  assert.equal(written.stdout, `${count} postings written to ${file}\n`);
  assert.equal(await readFile(file, 'utf8'), printed.stdout);
  assert.deepEqual(await readdir(folder), ['postings.csv']);
  const refused = await zimbo('ledger', 'export', join(folder, 'nowhere', 'postings.csv'));
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /cannot be written/);
});
