import { type Command, Option } from 'commander';
import type { CallbackAuth } from '../config/callbacks.ts';
import { liveOperatorNames } from '../config/catalogue.ts';
import type { OperatorSettings } from '../config/operators.ts';
import type { Balance, Health } from '../operators/adapter.ts';
import { StartError } from '../start-error.ts';
import { type Output, printJson, printTable } from './output.ts';
import type { RecoverOptions } from './recover.ts';
import { sinceOf } from './since.ts';

export function addOperatorCommands(program: Command): void {
  const operators = program
    .command('operators')
    .description('the operators of live payments, as this environment configures them');
  operators
    .command('list')
    .description('which are configured, and how')
    .option('--json', 'print an array')
    .action(list);
  operators
    .command('check')
    .description('call each: is it available, how quick is it, what does our account hold')
    .option('--json', 'print an array')
    .action(check);
  addRecover(operators);
}

const recoverHelp = `
After a restore, or a fail-over that lost the last commits: it walks each operator's list of the transactions of our
account, and records what the books lack. Debits of payments that we know are booked, or go back where they come too
late; what we know nothing of is held in suspense and listed by "zimbo review". It moves no money. The gateway may
run meanwhile, and doing it again changes nothing more. Begin well before the backup was made.

Examples:
  $ zimbo operators recover --since 2026-11-20T22:00:00Z --dry-run
  $ zimbo operators recover --since 36h --operator CVMOVEL`;

function addRecover(operators: Command): void {
  operators
    .command('recover')
    .description('find what operators did and our books lack, as after a restore')
    .requiredOption('--since <when>', 'begin there: 30m, 12h, 3d, or an instant', sinceOf)
    .addOption(new Option('--operator <name>', 'of this one only').choices(liveOperatorNames))
    .option('--dry-run', 'change nothing: tell what would be done')
    .option('--json', 'print an array')
    .addHelpText('after', recoverHelp)
    .action(async (options: RecoverOptions) =>
      (await import('./recover.ts')).recoverOperators(options),
    );
}

async function configured(): Promise<[string, OperatorSettings][]> {
  const { loadConfig } = await import('../config/config.ts');
  return Object.entries(loadConfig(process.env, 'command').operators);
}

async function list({ json }: Output): Promise<void> {
  const rows = (await configured()).map(([operator, settings]) => ({
    operator,
    adapter: settings.adapter,
    url: settings.url,
    account: `${settings.account.key}@${settings.account.value}`,
    auth: settings.auth,
    mode: settings.mode,
    currencies: settings.currencies.join(','),
    maxCalls: settings.maxCalls,
    deduplicates: settings.deduplicates,
    query: settings.query,
    callbacks: proofsOf(settings.callbackAuth),
  }));
  if (json) printJson(rows);
  else if (rows.length === 0) console.log(none);
  else {
    printTable(
      [
        'OPERATOR',
        'ADAPTER',
        'URL',
        'ACCOUNT',
        'AUTH',
        'MODE',
        'CURRENCIES',
        'MAX CALLS',
        'DEDUPLICATES',
        'QUERY',
        'CALLBACKS',
      ],
      rows.map((row) => Object.values(row).map(String)),
    );
  }
}

/** What callbacks must prove. */
function proofsOf({ addresses, secret, certificates }: CallbackAuth): string {
  const proofs = [
    addresses.length > 0 && 'address',
    secret !== undefined && 'signature',
    certificates.length > 0 && 'certificate',
  ].filter(Boolean);
  return proofs.length > 0 ? proofs.join('+') : 'unauthenticated';
}

const none = 'No operator is configured: live payments are refused. docs/operators.md tells how.';

async function check({ json }: Output): Promise<void> {
  const { loadAdapter } = await import('../operators/adapters.ts');
  const { systemClock } = await import('../clock.ts');
  const operators = await configured();
  if (operators.length === 0) throw new StartError(none);
  const rows = await Promise.all(
    operators.map(async ([operator, settings]) => ({
      operator,
      ...(await (await loadAdapter(settings.adapter)).probe(settings, systemClock)),
    })),
  );
  if (json) printJson(rows);
  else {
    printTable(
      ['OPERATOR', 'SERVICE', 'LATENCY', 'BALANCE'],
      rows.map((row) => [
        row.operator,
        serviceOf(row),
        `${row.latencyMs} ms`,
        balanceOf(row.balance),
      ]),
    );
  }
  if (rows.some((row) => row.service !== 'available')) process.exitCode = 1;
}

const serviceOf = ({ service, problem }: Health) => (problem ? `${service}: ${problem}` : service);
const balanceOf = (balance: Balance | null) =>
  balance ? `${balance.amount} ${balance.currency}` : 'not told';
