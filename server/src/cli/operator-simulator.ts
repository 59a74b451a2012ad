import { type Command, InvalidArgumentError, Option } from 'commander';
import { authKinds } from '../../../operator-simulator/src/access.ts';
import { faultGroups, parseFaults } from '../../../operator-simulator/src/faults.ts';
import { listClocks } from '../../../operator-simulator/src/listing.ts';
import type { Party } from '../../../operator-simulator/src/requests.ts';
import { liveOperatorNames } from '../platform/config/operator-catalogue.ts';
import type { Output } from './output.ts';
import type { RunOptions } from './run-operator-simulator.ts';

export const defaultDataDir = '.zimbo/operator-simulator';

const described = faultGroups
  .flatMap((group) => Object.entries(group))
  .map(([name, about]) => `  ${name.padEnd(24)}${about}`)
  .join('\n');

const help = `
It is not an operator, and no money moves. The last three digits of the customer's phone decide what happens,
as in docs/simulator.md; docs/operator-simulator.md describes the rest.

Faults, each with the share of requests, accepted requests or callbacks that it affects:
${described}

Examples:
  $ zimbo operator-simulator
  $ zimbo operator-simulator --operator UNITEL_TMAIS --port 4601 --auth oauth2
  $ zimbo operator-simulator --faults answer-lost=0.05,duplicate-callback=0.1 --seed 7
  $ zimbo operator-simulator --duplicates again --state-first --faults queued=0.2 --queue-ms 30000
  $ zimbo operator-simulator report`;

const reportHelp = `
It reads the data folder, whether or not the simulator is running.

Example:
  $ zimbo operator-simulator report --json`;

export function addOperatorSimulatorCommand(program: Command): void {
  const simulator = program
    .command('operator-simulator')
    .description("play an operator's side of the GSMA Mobile Money API, before you have access")
    .enablePositionalOptions()
    .addHelpText('after', help)
    .action(async (options: RunOptions) =>
      (await import('./run-operator-simulator.ts')).runOperatorSimulator(options),
    );
  addPlace(simulator);
  addBehaviour(simulator);
  addFaults(simulator);
  simulator
    .command('report')
    .description('debits, reversals and disbursements')
    .option('--data-dir <folder>', 'the data folder', defaultDataDir)
    .option('--json', 'print {"totals": [{"currency", "debitedMinor", …}], "openCallbacks": …}')
    .addHelpText('after', reportHelp)
    .action(async (options: Output & { dataDir: string }) =>
      (await import('./run-operator-simulator.ts')).reportOperatorSimulator(options),
    );
}

/** The address, and the authentication of clients. */
function addPlace(simulator: Command): void {
  simulator
    .option(
      '--port <number>',
      'the port to listen on; 0 picks a free one',
      integer(0, 65_535),
      4600,
    )
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--data-dir <folder>', 'the data folder', defaultDataDir)
    .addOption(
      new Option('--operator <name>', 'the operator whose settings are printed')
        .choices(liveOperatorNames)
        .default(liveOperatorNames[0]),
    )
    .addOption(
      new Option('--auth <kind>', 'how clients authenticate').choices(authKinds).default('api-key'),
    )
    .option('--client-id <text>', 'the user of basic, the client_id of oauth2', 'zimbo')
    .option('--secret <text>', 'the key or password (default: generated on first start and kept)')
    .option('--token-life-seconds <number>', 'of oauth2', integer(1, 86_400), 300)
    .addOption(
      new Option('--account <key@value>', 'your account')
        .argParser(accountOf)
        .default(accountOf('organisationid@1234'), 'organisationid@1234'),
    )
    .addOption(
      new Option('--currencies <codes>', 'the currencies it accepts')
        .argParser(currenciesOf)
        .default(['CVE', 'AOA'], 'CVE,AOA'),
    );
}

const time = integer(0, 86_400_000);

/** Behaviour and delays. */
function addBehaviour(simulator: Command): void {
  simulator
    .option('--answer-ms <number>', 'how long each answer takes', time, 0)
    .option(
      '--prompt-ms <number>',
      'delay until the payer is prompted, or a reversal or disbursement is done',
      time,
      500,
    )
    .option('--confirm-ms <number>', 'delay until the payer answers', time, 2_000)
    .option('--late-confirm-ms <number>', 'the same, for phones ending in 139', time, 420_000)
    .option(
      '--float-minor <number>',
      'what your account holds at first, in each currency, in centavos (default: it is never empty)',
      integer(0, 1e15),
    )
    .option('--expiry-ms <number>', 'delay until an unconfirmed request fails', time, 600_000)
    .option(
      '--poll-limit <number>',
      'queries allowed per serverCorrelationId',
      integer(1, 1e6),
      100,
    )
    .option('--list-limit <number>', 'maximum transactions per answer', integer(1, 1_000), 100)
    .addOption(
      new Option(
        '--list-clock <clock>',
        'dates in the list of transactions; local: without a time zone',
      )
        .choices([...listClocks])
        .default('right'),
    )
    .addOption(
      new Option(
        '--duplicates <answer>',
        'how a repeated X-CorrelationID is answered; again: it is executed again',
      )
        .choices(['state', 'error', 'again'])
        .default('state'),
    )
    .option(
      '--state-first',
      'refuse a repeated reversal with incorrectState, whatever --duplicates says',
    );
}

/** Faults. */
function addFaults(simulator: Command): void {
  simulator
    .addOption(
      new Option('--faults <list>', 'faults and their frequency (see below)')
        .argParser(faultsOf)
        .default({}, 'none'),
    )
    .option(
      '--seed <number>',
      'the seed for the random choice of faults',
      integer(0, 2 ** 32 - 1),
      1,
    )
    .option('--slow-ms <number>', 'how long a slow answer takes', time, 5_000)
    .option('--silence-ms <number>', 'delay until an unanswered request is closed', time, 60_000)
    .option('--client-timeout-ms <number>', 'how long the client waits for an answer', time, 10_000)
    .option('--edge-ms <number>', 'how close to that limit answers arrive', time, 100)
    .option('--queue-ms <number>', 'how long a queued request stays unknown', time, 15_000)
    .option(
      '--fee-minor <number>',
      'how much is added to an amount, in centavos',
      integer(1, 1e9),
      150,
    )
    .option('--late-callback-ms <number>', 'the delay of a late callback', time, 10_000);
}

function integer(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be an integer from ${least} to ${most}.`);
  };
}

function accountOf(text: string): Party {
  const [, key, value] = /^([a-z]{1,40})@([^/@]{1,256})$/i.exec(text) ?? [];
  if (key && value) return { key: key.toLowerCase(), value };
  throw new InvalidArgumentError('It must look like organisationid@1234.');
}

function currenciesOf(text: string): string[] {
  const codes = text.split(',').map((code) => code.trim());
  if (codes.every((code) => /^[A-Z]{3}$/.test(code))) return codes;
  throw new InvalidArgumentError('It must look like CVE,AOA.');
}

function faultsOf(text: string) {
  try {
    return parseFaults(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
