import { type Command, Option } from 'commander';
import type { Balance, Health } from '../integrations/operators/adapter.ts';
import type { CallbackAuth } from '../platform/config/callback-settings.ts';
import { liveOperatorNames } from '../platform/config/operator-catalogue.ts';
import type { OperatorSettings } from '../platform/config/operator-settings.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { columnsOf, printItems } from './api/print-items.ts';
import { type Output, printJson, printTable } from './output.ts';
import { sinceOf } from './parse-start-time.ts';
import type { RecoverOptions } from './recover.ts';

export function addOperatorCommands(program: Command): void {
  const operators = program
    .command('operators')
    .description('the operators of live payments, as configured in this environment');
  operators
    .command('list')
    .description('list the configured operators and their settings')
    .option('--json', 'print an array')
    .action(list);
  operators
    .command('check')
    .description('call each operator: availability, latency, balance of our account')
    .option('--json', 'print an array')
    .action(check);
  addRecover(operators);
}

const recoverHelp = `
Use it after a restore, or after a fail-over that lost the last commits. It reads each operator's list of transactions on our account, and books those missing in the ledger. A debit of a known payment is booked, or reversed if
it came too late. A debit of an unknown payment is held in suspense, and "zimbo review" lists it. The command moves
no money. The gateway may be running, and you can safely repeat the command. Choose a start well before the backup.

Examples:
  $ zimbo operators recover --since 2026-11-20T22:00:00Z --dry-run
  $ zimbo operators recover --since 36h --operator CVMOVEL`;

function addRecover(operators: Command): void {
  operators
    .command('recover')
    .description('find transactions that the ledger lacks, for example after a restore')
    .requiredOption(
      '--since <when>',
      'the start: an age such as 30m, 12h or 3d, or an instant',
      sinceOf,
    )
    .addOption(new Option('--operator <name>', 'only this operator').choices(liveOperatorNames))
    .option('--dry-run', 'change nothing; show what would be done')
    .option('--json', 'print an array')
    .addHelpText('after', recoverHelp)
    .action(async (options: RecoverOptions) =>
      (await import('./recover.ts')).recoverOperators(options),
    );
}

async function configured(): Promise<[string, OperatorSettings][]> {
  const { loadConfig } = await import('../platform/config/config.ts');
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
  else printItems(rows, columnsOf({}, Object.keys(rows[0]!).join(' ')));
}

/** The authentication of callbacks. */
function proofsOf({ addresses, secret, certificates }: CallbackAuth): string {
  const proofs = [
    addresses.length > 0 && 'address',
    secret !== undefined && 'signature',
    certificates.length > 0 && 'certificate',
  ].filter(Boolean);
  return proofs.length > 0 ? proofs.join('+') : 'unauthenticated';
}

const none = 'No operator is configured, so live payments are refused. See docs/operators.md.';

async function check({ json }: Output): Promise<void> {
  const { loadAdapter } = await import('../integrations/operators/load-adapters.ts');
  const { systemClock } = await import('../platform/process/clock.ts');
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
  balance ? `${balance.amount} ${balance.currency}` : 'unknown';
