import { type Command, Option } from 'commander';
import { type Currency, currencies } from '../platform/values/money.ts';
import { atGateway } from './admin/connection.ts';
import { withId } from './failure.ts';
import { amountOf } from './key-options.ts';
import { formatMajor, type Output, printFields, printJson } from './output.ts';

const help = `
Amounts are in major units of any currency; none removes one. Omitted options stay unchanged. Test keys may
disburse wherever the gateway has DISBURSEMENTS=on.

Example:
  $ zimbo merchants disbursements me_… --allow yes --max 5000 --max-per-day 50000 --max-per-wallet-and-day 10000
  $ zimbo merchants disbursements me_… --keep 20000 --currency AOA`;

export function addDisbursementTermsCommand(merchants: Command): void {
  merchants
    .command('disbursements <merchant>')
    .description('change or show what a merchant may send from its balance to wallets')
    .addOption(
      new Option('--allow <choice>', 'whether its live keys may disburse').choices(['yes', 'no']),
    )
    .option('--max <amount>', 'the limit for one disbursement', limitOf)
    .option('--max-per-day <amount>', 'the limit for all disbursements in a day (UTC)', limitOf)
    .option('--max-per-wallet-and-day <amount>', 'the same for one wallet', limitOf)
    .option('--keep <amount>', 'what settlements leave in the balance', limitOf)
    .addOption(new Option('--currency <currency>', 'of --keep').choices(currencies).default('CVE'))
    .option('--json', 'print an object')
    .addHelpText('after', help)
    .action(disbursementTerms);
}

/** Commander would turn null into an empty text. */
const limitOf = (text: string) => (text === 'none' ? text : amountOf(text));

/** Null removes the limit. */
const minorOf = (given: string) => (given === 'none' ? null : given);

interface Options extends Output {
  allow?: 'yes' | 'no';
  max?: string;
  maxPerDay?: string;
  maxPerWalletAndDay?: string;
  keep?: string;
  currency: Currency;
}

interface Terms {
  allowed: boolean;
  maxDisbursement: string | null;
  maxDisbursedPerDay: string | null;
  maxDisbursedPerWalletAndDay: string | null;
  keepBalance: Record<Currency, string | null>;
}

async function disbursementTerms(merchant: string, options: Options): Promise<void> {
  const { allow, max, maxPerDay, maxPerWalletAndDay, keep, currency, json } = options;
  const body = {
    ...(allow !== undefined && { allowed: allow === 'yes' }),
    ...(max !== undefined && { maxDisbursement: minorOf(max) }),
    ...(maxPerDay !== undefined && { maxDisbursedPerDay: minorOf(maxPerDay) }),
    ...(maxPerWalletAndDay !== undefined && {
      maxDisbursedPerWalletAndDay: minorOf(maxPerWalletAndDay),
    }),
    ...(keep !== undefined && { keepBalance: { [currency]: minorOf(keep) } }),
  };
  const path = { id: merchant };
  const now = await withId({ name: 'merchant', prefix: 'me' }, merchant, () =>
    atGateway<Terms>(({ send }) =>
      Object.keys(body).length === 0
        ? send('getDisbursementTerms', { path })
        : send('changeDisbursementTerms', { path, body }),
    ),
  );
  if (json) printJson(now);
  else
    printFields({
      'Live keys': now.allowed ? 'may disburse' : 'may not disburse',
      'At once': limitText(now.maxDisbursement),
      'In a day': limitText(now.maxDisbursedPerDay),
      'In a day to one wallet': limitText(now.maxDisbursedPerWalletAndDay),
      ...Object.fromEntries(
        currencies.map((each) => [`Settlements leave in ${each}`, keptText(now.keepBalance[each])]),
      ),
    });
}

const keptText = (minor: string | null) =>
  minor === null ? 'nothing' : formatMajor(BigInt(minor));

const limitText = (minor: string | null) =>
  minor === null ? 'no limit' : formatMajor(BigInt(minor));
