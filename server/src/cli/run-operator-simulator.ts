import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { styleText } from 'node:util';
import type { AccessSettings } from '../../../operator-simulator/src/access.ts';
import type { Rates } from '../../../operator-simulator/src/faults.ts';
import type { ListClock } from '../../../operator-simulator/src/listing.ts';
import type { Party } from '../../../operator-simulator/src/requests.ts';
import type { RunningSimulator } from '../../../operator-simulator/src/start.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { version } from '../platform/process/version.ts';
import { formatAmount, type Output, printJson, printTable } from './output.ts';
import { onStopSignal } from './start.ts';

/** The options of the command line, times in milliseconds. */
export interface RunOptions {
  port: number;
  host: string;
  dataDir: string;
  operator: string;
  auth: AccessSettings['auth'];
  clientId: string;
  secret?: string;
  tokenLifeSeconds: number;
  account: Party;
  currencies: string[];
  answerMs: number;
  promptMs: number;
  confirmMs: number;
  lateConfirmMs: number;
  expiryMs: number;
  pollLimit: number;
  listLimit: number;
  listClock: ListClock;
  duplicates: 'state' | 'error' | 'again';
  stateFirst?: true;
  faults: Rates;
  seed: number;
  slowMs: number;
  silenceMs: number;
  clientTimeoutMs: number;
  edgeMs: number;
  queueMs: number;
  floatMinor?: number;
  feeMinor: number;
  lateCallbackMs: number;
}

export async function runOperatorSimulator(options: RunOptions): Promise<void> {
  const [{ pino }, { startOperatorSimulator }] = await Promise.all([
    import('pino'),
    import('../../../operator-simulator/src/start.ts'),
  ]);
  const log = pino({ name: 'operator-simulator' }, pino.destination({ dest: 2, sync: false }));
  const { auth, clientId, tokenLifeSeconds, secret, stateFirst = false } = options;
  const access = { auth, clientId, tokenLifeSeconds };
  const feeMinor = BigInt(options.feeMinor);
  const floatMinor = options.floatMinor === undefined ? null : BigInt(options.floatMinor);
  const amounts = { feeMinor, floatMinor };
  const provider = { ...options, stateFirst, ...amounts, mostListed: options.listLimit };
  const stopping = Promise.withResolvers<void>();
  onStopSignal(() => stopping.resolve());
  const running = await startOperatorSimulator({ ...options, secret, access, provider }, log);
  console.log(banner(options, running));
  await stopping.promise;
  await running.stop();
  process.exit(0);
}

/** The text that a person sees when the simulator is ready: nobody may mistake it for an operator. */
function banner(options: RunOptions, running: RunningSimulator): string {
  const { dataDir, operator, faults, seed } = options;
  const rates = Object.entries(faults).map(([name, share]) => `${name} ${share}`);
  const fields: Record<string, string> = {
    API: `${running.url}  (GSMA Mobile Money API 1.2)`,
    Data: resolve(dataDir),
    Faults: rates.length === 0 ? 'none' : `${rates.join(', ')}  (seed ${seed})`,
    Totals: `${running.origin}/_simulator/totals`,
  };
  const lines = Object.entries(fields).map(
    ([name, value]) => `  ${styleText('dim', name.padEnd(8))}${value}`,
  );
  return `
  ${styleText('bold', `Zimbo operator simulator ${version}`)}
  ${styleText('yellow', 'This is a simulator, not an operator: no money moves.')}

${lines.join('\n')}

  A gateway that is started with these settings takes it for ${operator}:

${settings(options, running)}
`;
}

function settings(options: RunOptions, { url, origin, secret }: RunningSimulator): string {
  const { operator, account, auth, clientId, currencies } = options;
  const values: Record<string, string> = {
    URL: url,
    ACCOUNT: `${account.key}@${account.value}`,
    AUTH: auth,
    ...(auth !== 'api-key' && { CLIENT_ID: clientId }),
    SECRET: secret,
    ...(auth === 'oauth2' && { TOKEN_URL: `${origin}/oauth/token` }),
    CURRENCIES: currencies.join(','),
  };
  return Object.entries(values)
    .map(([name, value]) => `export OPERATOR_${operator}_${name}=${quoted(value)}`)
    .join('\n');
}

/** Quoted for a shell. */
const quoted = (text: string) =>
  /^[\w@.,:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const columns = [
  'CURRENCY',
  'DEBITS',
  'DEBITED',
  'REVERSALS',
  'REVERSED',
  'DISBURSEMENTS',
  'DISBURSED',
  'KEPT',
  'PENDING',
  'FAILED',
];

export async function reportOperatorSimulator(
  options: Output & { dataDir: string },
): Promise<void> {
  const { fileName, Store } = await import('../../../operator-simulator/src/store.ts');
  if (!existsSync(join(options.dataDir, fileName))) {
    const words = `There is no operator simulator data in ${resolve(options.dataDir)}.`;
    throw new StartError(words, 'Name its folder with --data-dir.');
  }
  const store = Store.read(options.dataDir);
  const [totals, openCallbacks] = [store.totals(), store.openCallbacks()];
  store.close();
  if (options.json) {
    printJson({ totals, openCallbacks });
    return;
  }
  printTable(
    columns,
    totals.map((total) => {
      const { debitedMinor, reversedMinor, disbursedMinor } = total;
      const [debited, reversed, disbursed] = [debitedMinor, reversedMinor, disbursedMinor].map(
        BigInt,
      ) as [bigint, bigint, bigint];
      const amount = (minor: bigint) => formatAmount(minor, total.currency);
      return [
        total.currency,
        `${total.debits}`,
        amount(debited),
        `${total.reversals}`,
        amount(reversed),
        `${total.disbursements}`,
        amount(disbursed),
        amount(debited - reversed - disbursed),
        `${total.pending}`,
        `${total.failed}`,
      ];
    }),
  );
  console.log(`\nSimulated: no money has moved. Pending callbacks: ${openCallbacks}.`);
}
