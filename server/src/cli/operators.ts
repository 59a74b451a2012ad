import type { Command } from 'commander';
import type { Balance, Health } from '../operators/gsma/probe.ts';
import type { CallbackAuth } from '../platform/config-callbacks.ts';
import type { OperatorSettings } from '../platform/config-operators.ts';
import { StartError } from '../platform/start-error.ts';
import { printJson, printTable } from './output.ts';

interface Output {
  json?: true;
}

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
}

async function configured(): Promise<[string, OperatorSettings][]> {
  const { loadConfig } = await import('../platform/config.ts');
  return Object.entries(loadConfig(process.env, 'command').operators);
}

async function list({ json }: Output): Promise<void> {
  const rows = (await configured()).map(([operator, settings]) => ({
    operator,
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
  const { probeOperator } = await import('../operators/gsma/probe.ts');
  const { systemClock } = await import('../platform/clock.ts');
  const operators = await configured();
  if (operators.length === 0) throw new StartError(none);
  const rows = await Promise.all(
    operators.map(async ([operator, settings]) => ({
      operator,
      ...(await probeOperator(settings, systemClock)),
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
