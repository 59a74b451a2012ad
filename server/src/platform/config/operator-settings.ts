import {
  type CallbackAuth,
  callbackAuthOf,
  callbackSettings,
  type GivenSettings,
  silentOperatorProblems,
} from './callback-settings.ts';
import {
  boolean,
  choice,
  currencyList,
  integer,
  type Kind,
  operatorAccount,
  operatorUrl,
  text,
} from './kinds.ts';
import {
  adapterModules,
  type LiveOperatorName,
  liveOperatorNames,
  operatorCatalogue,
} from './operator-catalogue.ts';
import { factSettings, factsOf, type OperatorFacts } from './operator-facts.ts';
import type { Variable } from './variables.ts';

/** The connection settings of one operator (docs/operators.md). */
export interface OperatorSettings {
  /** The name of the adapter for its API. */
  adapter: string;
  /** Without a trailing slash. */
  url: string;
  auth: 'api-key' | 'basic' | 'oauth2';
  clientId: string | undefined;
  /** The API key, the password or the client secret. */
  secret: string;
  /** Required with oauth2. */
  tokenUrl: string | undefined;
  /** Our own account, to which debits are credited. */
  account: { key: string; value: string };
  mode: 'callback' | 'polling';
  maxCalls: number;
  currencies: readonly string[];
  /** The operator answers a repeated request with the outcome of the first, and moves no money again. */
  deduplicates: boolean;
  /**
   * Whether the operator can be queried about the outcome of a request; with none, only its callbacks report
   * it.
   */
  query: 'full' | 'none';
  callbackAuth: CallbackAuth;
  facts: OperatorFacts;
}

export type OperatorConfigs = Partial<Record<LiveOperatorName, OperatorSettings>>;

/** Looks the adapter up when the setting is read, so a setting can choose any adapter registered by then. */
const adapterName: Kind<string> = {
  get rule() {
    return choice(...Object.keys(adapterModules)).rule;
  },
  parse: (given) => choice(...Object.keys(adapterModules)).parse(given),
};

const group = { group: 'Operators' };

const optional = (kind: Kind<unknown>, about: string, example: string, otherwise = '') => ({
  ...group,
  kind,
  otherwise,
  about,
  example,
});

/** A URL refused because it contains a password is not shown. */
const mayHoldPassword = { secret: 'when refused' as const };

/** Whether an operator is configured, and how it authenticates us. Without a URL, it is not configured. */
const accessTo = (operator: LiveOperatorName, prefix: string) => ({
  URL: {
    ...optional(
      operatorUrl,
      `The base URL of ${operator}'s API (for the adapter gsma, of its GSMA Mobile Money API 1.2). Without it, ${operator} is not configured, and live payments through it are refused.`,
      'https://api.operator.example/v1.2/mm',
      'not configured',
    ),
    ...mayHoldPassword,
  },
  ADAPTER: {
    ...group,
    kind: adapterName,
    default: operatorCatalogue[operator].adapter,
    about: `The adapter for ${operator}'s API ([operators](operators.md#adapters)).`,
    example: 'gsma',
  },
  ACCOUNT: optional(
    operatorAccount,
    `Our account at ${operator}, which receives the debits. Required with ${prefix}_URL.`,
    'organisationid@1234',
  ),
  AUTH: {
    ...group,
    kind: choice('api-key', 'basic', 'oauth2'),
    default: 'api-key',
    about: `How the gateway authenticates to ${operator}: with an API key, user and password, or OAuth 2 client credentials.`,
    example: 'oauth2',
  },
  CLIENT_ID: optional(
    text,
    `Sent as X-Client-Id. With basic it is also the user, with oauth2 the client_id; both require it.`,
    'zimbo-cv',
  ),
  SECRET: {
    ...optional(
      text,
      `The API key, password or client secret. Required with ${prefix}_URL, here or as a file.`,
      'the secret that the operator gave you',
    ),
    secret: true as const,
  },
  TOKEN_URL: {
    ...optional(
      operatorUrl,
      'The URL that issues tokens. Required with oauth2.',
      'https://api.operator.example/oauth/token',
    ),
    ...mayHoldPassword,
  },
});

/** How the gateway uses an operator. */
const useOf = (operator: LiveOperatorName) => ({
  MODE: {
    ...group,
    kind: choice('callback', 'polling'),
    default: 'callback',
    about: `Whether ${operator} calls back at PUBLIC_URL with outcomes, or is only polled. It is queried in any case if no callback comes.`,
    example: 'polling',
  },
  QUERY: {
    ...group,
    kind: choice('full', 'none'),
    default: 'full',
    about: `Whether ${operator} can be queried about the outcome of a request. With none, the gateway has to trust its callbacks, so they must be authenticated by one of the CALLBACK settings below.`,
    example: 'none',
  },
  DEDUPLICATES: {
    ...group,
    kind: boolean,
    default: 'false',
    about: `Whether ${operator} guarantees to answer a repeated request with the outcome of the first, and never to move money twice. Only then does the gateway repeat a request that may have arrived.`,
    example: 'true',
  },
  MAX_CALLS: {
    ...group,
    kind: integer(1, 1_000),
    default: '32',
    about: `The maximum number of concurrent calls to ${operator} per machine; several processes (ZIMBO_PROCESSES) and [cells](cells.md) share them.`,
    example: '8',
    perProcess: true as const,
  },
  CURRENCIES: {
    ...group,
    kind: currencyList,
    default: operatorCatalogue[operator].currencies,
    about: `The currencies of our account at ${operator}.`,
    example: 'CVE,AOA',
  },
});

function settingsOf(operator: LiveOperatorName) {
  const prefix = `OPERATOR_${operator}`;
  return {
    ...accessTo(operator, prefix),
    ...useOf(operator),
    ...callbackSettings(operator),
    ...factSettings(operator),
  };
}

type Setting = keyof ReturnType<typeof settingsOf>;
type OperatorVariable = `OPERATOR_${LiveOperatorName}_${Setting}`;

export const operatorVariables = Object.fromEntries(
  liveOperatorNames.flatMap((operator) =>
    Object.entries(settingsOf(operator)).map(([setting, variable]) => [
      `OPERATOR_${operator}_${setting}`,
      variable,
    ]),
  ),
) as Record<OperatorVariable, Variable<unknown>>;

/** Returns the configured operators, from values that have been read and checked one by one. */
export function operatorConfigs(
  values: Partial<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
  problems: string[],
): OperatorConfigs {
  const configs: OperatorConfigs = {};
  for (const operator of liveOperatorNames) {
    const prefix = `OPERATOR_${operator}`;
    const given: GivenSettings<Setting> = {
      prefix,
      of: (setting) => values[`${prefix}_${setting}`],
      isGiven: (setting) => Boolean(env[`${prefix}_${setting}`]),
    };
    const trustProxy = values.TRUST_PROXY as string[] | undefined;
    const settings = configOf(operator, given, trustProxy, problems);
    if (settings) configs[operator] = settings;
  }
  return configs;
}

function configOf(
  operator: LiveOperatorName,
  given: GivenSettings<Setting>,
  trustProxy: readonly string[] | undefined,
  problems: string[],
): OperatorSettings | undefined {
  const { prefix, of, isGiven } = given;
  const require = (setting: Setting, why: string) => {
    // A wrong setting has no value either, and has been reported.
    if (of(setting) !== undefined || isGiven(setting)) return;
    const name = `${prefix}_${setting}` as OperatorVariable;
    problems.push(
      `${name} is required ${why}. For example: ${name}=${operatorVariables[name].example}`,
    );
  };
  if (of('URL') === undefined) {
    // Any other setting means that someone wants to configure the operator.
    const others = Object.keys(settingsOf(operator)).filter((name) => isGiven(name as Setting));
    if (others.length > 0) require('URL', `with ${namesOf(prefix, others)}`);
    return undefined;
  }
  require('ACCOUNT', `with ${prefix}_URL`);
  if (of('AUTH') === 'oauth2') require('TOKEN_URL', 'with oauth2');
  else if (of('TOKEN_URL') !== undefined) {
    problems.push(
      `${prefix}_TOKEN_URL is only used with ${prefix}_AUTH=oauth2: set that, or remove it. For example: ${prefix}_AUTH=oauth2`,
    );
  }
  if (of('AUTH') === 'basic' || of('AUTH') === 'oauth2')
    require('CLIENT_ID', `with ${String(of('AUTH'))}`);
  require('SECRET', `with ${prefix}_URL, here or as a file`);
  problems.push(...silentOperatorProblems(given));
  return {
    adapter: of('ADAPTER') as string,
    url: of('URL') as string,
    auth: of('AUTH') as OperatorSettings['auth'],
    clientId: of('CLIENT_ID') as string | undefined,
    secret: (of('SECRET') as string | undefined) ?? '',
    tokenUrl: of('TOKEN_URL') as string | undefined,
    account: of('ACCOUNT') as OperatorSettings['account'],
    mode: of('MODE') as OperatorSettings['mode'],
    maxCalls: of('MAX_CALLS') as number,
    currencies: of('CURRENCIES') as string[],
    deduplicates: of('DEDUPLICATES') as boolean,
    query: of('QUERY') as OperatorSettings['query'],
    callbackAuth: callbackAuthOf(given, trustProxy, problems),
    facts: factsOf(given, problems),
  };
}

const namesOf = (prefix: string, settings: string[]) =>
  settings
    .map((setting) => `${prefix}_${setting}`)
    .join(', ')
    .replace(/, ([^,]+)$/, ' and $1');
