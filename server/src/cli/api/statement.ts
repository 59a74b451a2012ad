import { type Command, InvalidArgumentError, Option } from 'commander';
import { currencies } from '../../platform/values/money.ts';
import { formatAmount, type Output, printFields, printJson, printTable } from '../output.ts';
import { withGateway } from './connection.ts';
import { examples, withJson } from './resource.ts';

interface StatementOptions extends Output {
  month: string;
  currency: 'CVE' | 'AOA';
  csv?: boolean;
}

export function addStatementCommand(program: Command): void {
  withJson(
    program
      .command('statement')
      .description('the statement of a month: opening balance, movements, closing balance')
      .requiredOption('--month <month>', 'such as 2026-10, in the time zone of the currency', month)
      .addOption(new Option('--currency <code>').choices(currencies).default('CVE'))
      .option('--csv', 'each movement as CSV, to stdout'),
  )
    .addHelpText(
      'after',
      examples(
        'zimbo statement --month 2026-10',
        'zimbo statement --month 2026-10 --currency AOA --csv > october.csv',
      ),
    )
    .action(statement);
}

function month(text: string): string {
  if (/^2\d{3}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a month such as 2026-10.');
}

async function statement({ json, csv, ...query }: StatementOptions): Promise<void> {
  if (csv) {
    process.stdout.write(await withGateway(({ zimbo }) => zimbo.settlements.statementCsv(query)));
    return;
  }
  const found = await withGateway(({ zimbo }) => zimbo.settlements.statement(query));
  if (json) {
    printJson(found);
    return;
  }
  const amount = (text: string, sign = 1n) => formatAmount(sign * BigInt(text), found.currency);
  const moved = (of: Pick<typeof found, 'amount' | 'feeTotal' | 'refundTotal' | 'payoutTotal'>) => [
    amount(of.amount),
    amount(of.feeTotal, -1n),
    amount(of.refundTotal, -1n),
    amount(of.payoutTotal, -1n),
  ];
  const [payments, fees, refunds, payouts] = moved(found) as [string, string, string, string];
  printFields({
    Statement: `${found.month}, ${found.timeZone}${found.isOver ? '' : ' (the month is not over)'}`,
    'Opening balance': amount(found.openingBalance),
    Payments: payments,
    Fees: fees,
    Refunds: refunds,
    Payouts: payouts,
    [found.isOver ? 'Closing balance' : 'Balance so far']: amount(found.closingBalance),
  });
  if (found.days.length === 0) return;
  console.log();
  printTable(
    ['DAY', 'PAYMENTS', 'FEES', 'REFUNDS', 'PAYOUTS', 'BALANCE'],
    found.days.map((day) => [day.day, ...moved(day), amount(day.closingBalance)]),
  );
}
