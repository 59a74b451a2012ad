import type { Health } from '../../integrations/operators/adapter.ts';
import type { Config } from '../../platform/config/config.ts';
import { trustsEverybody } from '../../platform/config/kinds.ts';
import type { OperatorSettings } from '../../platform/config/operator-settings.ts';
import { reasonOf } from '../../platform/errors/errors.ts';
import { isLoopback } from '../../platform/network/networks.ts';
import { currencies } from '../../platform/values/money.ts';
import { type Check, type Finding, failure, ok, warning } from './check.ts';

export interface LiveSettings {
  config: Pick<
    Config,
    'databaseUrl' | 'secretKey' | 'publicUrl' | 'trustProxy' | 'operators' | 'payouts'
  >;
  /** Queries an operator's state, without moving money. */
  probe: (settings: OperatorSettings) => Promise<Health>;
}

const reachLimitMs = 5_000;
const page = (step: string) => `docs/going-live.md, step ${step}`;

/** Checks the settings for live money, and that the services they name answer. Reads nothing from the database. */
export function liveSettingChecks({ config, probe }: LiveSettings): Check[] {
  return [
    { name: 'Own database', run: async () => ownDatabaseFinding(config) },
    { name: 'Secret key', run: async () => keyFinding(config) },
    { name: 'Public URL', run: () => publicUrlFinding(config) },
    { name: 'Proxy', run: async () => proxyFinding(config) },
    { name: 'Operators', run: () => operatorsFinding({ config, probe }), limitMs: 30_000 },
    { name: 'Own account', run: async () => ownAccountFinding(config) },
  ];
}

function ownDatabaseFinding({ databaseUrl }: LiveSettings['config']): Finding {
  if (databaseUrl) return ok('DATABASE_URL is set');
  return failure(
    'the embedded one, which has no replica',
    `Create a PostgreSQL database, and set DATABASE_URL: ${page('1')}`,
  );
}

function keyFinding({ secretKey }: LiveSettings['config']): Finding {
  if (secretKey) return ok('given; keep a copy elsewhere, backups do not hold it');
  return failure(
    'not set: the key lies beside the data that it protects',
    'Set ZIMBO_SECRET_KEY:  openssl rand -base64 32',
  );
}

/** Through the proxy, like customers and operators; without a key, a gateway answers 401. */
async function publicUrlFinding({ publicUrl }: LiveSettings['config']): Promise<Finding> {
  if (!publicUrl.startsWith('https://')) {
    return failure(
      `${publicUrl} is not https://`,
      `Put a proxy with TLS in front, and set PUBLIC_URL to its address: ${page('3')}`,
    );
  }
  const advice =
    'Check the name in DNS, the proxy and its log, and that the gateway runs:  curl -i ' +
    `${publicUrl}/v1/balance`;
  try {
    const signal = AbortSignal.timeout(reachLimitMs);
    const answer = await fetch(`${publicUrl}/v1/balance`, { signal, redirect: 'manual' });
    const said = await answer.text();
    if (answer.status === 401 && said.includes('"UNAUTHORIZED"')) return ok(`${publicUrl} answers`);
    return failure(`${publicUrl} answers ${answer.status}, unlike a gateway`, advice);
  } catch (error) {
    const { cause } = error as Error;
    const reason = reasonOf(cause instanceof Error ? cause : (error as Error));
    return failure(`${publicUrl} does not answer from here: ${reason}`, advice);
  }
}

function proxyFinding({ trustProxy }: LiveSettings['config']): Finding {
  if (trustProxy.length === 0) {
    return failure(
      'TRUST_PROXY is not set: limits take all customers for one',
      'Set it to the address from which the proxy connects, such as TRUST_PROXY=127.0.0.1',
    );
  }
  if (!trustsEverybody(trustProxy)) return ok(`trusted at ${trustProxy.join(', ')}`);
  return warning(
    'every client may claim any address',
    'Name your proxy instead, such as TRUST_PROXY=127.0.0.1',
  );
}

async function operatorsFinding({ config, probe }: LiveSettings): Promise<Finding> {
  const configured = Object.entries(config.operators);
  if (configured.length === 0) {
    return failure('none is configured', `Set OPERATOR_…_URL and the others: ${page('2')}`);
  }
  const findings = await Promise.all(
    configured.map(([name, settings]) => operatorFinding(name, settings, probe)),
  );
  const worst =
    findings.find(({ status }) => status === 'error') ??
    findings.find(({ status }) => status === 'warning');
  const figure = findings.map((finding) => finding.figure).join('\n');
  return worst && worst.status !== 'ok' ? { ...worst, figure } : ok(figure);
}

async function operatorFinding(
  name: string,
  settings: OperatorSettings,
  probe: LiveSettings['probe'],
): Promise<Finding> {
  const { service, problem, latencyMs } = await probe(settings);
  if (service !== 'available') {
    return failure(
      `${name} is ${service}${problem === null ? '' : `: ${problem}`}`,
      'Repeat the check, then ask the operator:  zimbo operators check',
    );
  }
  const { addresses, secret, certificates } = settings.callbackAuth;
  const isProven = addresses.length > 0 || secret !== undefined || certificates.length > 0;
  if (settings.mode === 'callback' && !isProven) {
    return failure(
      `${name} answers, but accepts callbacks from anybody`,
      `Set one of OPERATOR_${name}_CALLBACK_…: docs/operators.md#authenticate-callbacks`,
    );
  }
  if (isLoopback(new URL(settings.url).hostname)) {
    return warning(
      `${name} answers on this machine, like the simulator`,
      `For live money, set OPERATOR_${name}_URL to the operator's address`,
    );
  }
  return ok(`${name} answers in ${latencyMs} ms`);
}

/** Each currency that an operator collects must be paid out, too. */
function ownAccountFinding({ operators, payouts }: LiveSettings['config']): Finding {
  const collected = currencies.filter((currency) =>
    Object.values(operators).some((operator) => operator.currencies.includes(currency)),
  );
  const lacking = collected.filter((currency) => payouts.accounts[currency] === undefined);
  if (lacking.length === 0)
    return ok(`payouts leave from it: ${collected.join(', ') || 'none yet'}`);
  const names = lacking.map((currency) => `PAYOUT_ACCOUNT_${currency}`).join(' and ');
  const advice = `Set ${names}: ${page('2')}`;
  if (payouts.format === 'csv')
    return warning(`none for ${lacking.join(' and ')}: bank orders do not name it`, advice);
  return failure(`none for ${lacking.join(' and ')}: ${payouts.format} cannot be written`, advice);
}
