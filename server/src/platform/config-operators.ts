import { readFileSync } from 'node:fs';
import {
  choice,
  currencyList,
  integer,
  type Kind,
  operatorAccount,
  operatorUrl,
  text,
} from './config-kinds.ts';
import type { Variable } from './config-variables.ts';

/** How one operator is reached (docs/operators.md). */
export interface OperatorSettings {
  /** Without a slash at its end. */
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
}

const liveOperators = ['CVMOVEL', 'UNITEL_TMAIS'] as const;
type LiveOperator = (typeof liveOperators)[number];
export type OperatorConfigs = Partial<Record<LiveOperator, OperatorSettings>>;

const group = { group: 'Operators' };

const optional = (kind: Kind<unknown>, about: string, example: string, otherwise = '') => ({
  ...group,
  kind,
  otherwise,
  about,
  example,
});

/** One that is refused for its password is not shown. */
const mayHoldPassword = { secret: true as const };

/** Where an operator is, and how it knows us; without its URL it is not configured. */
const accessTo = (operator: LiveOperator, prefix: string) => ({
  URL: {
    ...optional(
      operatorUrl,
      `The base URL of the GSMA Mobile Money API 1.2 of ${operator}. Without it ${operator} is not configured, and live payments of it are refused.`,
      'https://api.operator.example/v1.2/mm',
      'not configured',
    ),
    ...mayHoldPassword,
  },
  ACCOUNT: optional(
    operatorAccount,
    `Our own account at ${operator}, to which debits are credited. Required with ${prefix}_URL.`,
    'organisationid@1234',
  ),
  AUTH: {
    ...group,
    kind: choice('api-key', 'basic', 'oauth2'),
    default: 'api-key',
    about: `How ${operator} knows us: an API key, user and password, or OAuth 2 client credentials.`,
    example: 'oauth2',
  },
  CLIENT_ID: optional(
    text,
    `Sent as X-Client-Id; with basic also the user, with oauth2 the client_id, and then required.`,
    'zimbo-cv',
  ),
  SECRET: {
    ...optional(
      text,
      `The API key, the password or the client secret. Required with ${prefix}_URL, here or as a file.`,
      'the secret that the operator gave you',
    ),
    secret: true as const,
  },
  SECRET_FILE: optional(
    text,
    `A file that holds ${prefix}_SECRET, in place of it.`,
    '/run/secrets/operator',
  ),
  TOKEN_URL: {
    ...optional(
      operatorUrl,
      'Where tokens are given out. Required with oauth2.',
      'https://api.operator.example/oauth/token',
    ),
    ...mayHoldPassword,
  },
});

/** How an operator is used. */
const useOf = (operator: LiveOperator) => ({
  MODE: {
    ...group,
    kind: choice('callback', 'polling'),
    default: 'callback',
    about: `Whether ${operator} tells of outcomes at PUBLIC_URL, or is only asked. It is asked in any case where no callback comes.`,
    example: 'polling',
  },
  MAX_CALLS: {
    ...group,
    kind: integer(1, 1_000),
    default: '32',
    about: `How many calls to ${operator} one process makes at once.`,
    example: '8',
  },
  CURRENCIES: {
    ...group,
    kind: currencyList,
    default: 'CVE',
    about: `The currencies that our account at ${operator} takes.`,
    example: 'CVE,AOA',
  },
});

function settingsOf(operator: LiveOperator) {
  return { ...accessTo(operator, `OPERATOR_${operator}`), ...useOf(operator) };
}

type Setting = keyof ReturnType<typeof settingsOf>;
type OperatorVariable = `OPERATOR_${LiveOperator}_${Setting}`;

export const operatorVariables = Object.fromEntries(
  liveOperators.flatMap((operator) =>
    Object.entries(settingsOf(operator)).map(([setting, variable]) => [
      `OPERATOR_${operator}_${setting}`,
      variable,
    ]),
  ),
) as Record<OperatorVariable, Variable<unknown>>;

/** The operators that are configured, from values that were read and checked one by one. */
export function operatorConfigs(
  values: Partial<Record<string, unknown>>,
  problems: string[],
): OperatorConfigs {
  const configs: OperatorConfigs = {};
  for (const operator of liveOperators) {
    const settings = configOf(operator, values, problems);
    if (settings) configs[operator] = settings;
  }
  return configs;
}

/** Those without a default, so that one of them shows that somebody means to configure the operator. */
const needsUrl: readonly Setting[] = ['ACCOUNT', 'SECRET', 'SECRET_FILE', 'CLIENT_ID', 'TOKEN_URL'];

function configOf(
  operator: LiveOperator,
  values: Partial<Record<string, unknown>>,
  problems: string[],
): OperatorSettings | undefined {
  const prefix = `OPERATOR_${operator}`;
  const of = (setting: Setting) => values[`${prefix}_${setting}`];
  const require = (setting: Setting, why: string) => {
    const name = `${prefix}_${setting}` as OperatorVariable;
    // One that is wrong has no value either, and was told of.
    if (of(setting) !== undefined || problems.some((problem) => problem.startsWith(`${name} `)))
      return;
    problems.push(
      `${name} is required ${why}. For example: ${name}=${operatorVariables[name].example}`,
    );
  };
  if (of('URL') === undefined) {
    const given = needsUrl.find((setting) => of(setting) !== undefined);
    if (given) require('URL', `with ${prefix}_${given}`);
    return undefined;
  }
  require('ACCOUNT', `with ${prefix}_URL`);
  if (of('AUTH') === 'oauth2') require('TOKEN_URL', 'with oauth2');
  if (of('AUTH') === 'basic' || of('AUTH') === 'oauth2')
    require('CLIENT_ID', `with ${String(of('AUTH'))}`);
  if (of('SECRET_FILE') === undefined) require('SECRET', `with ${prefix}_URL, here or as a file`);
  return {
    url: of('URL') as string,
    auth: of('AUTH') as OperatorSettings['auth'],
    clientId: of('CLIENT_ID') as string | undefined,
    secret: secretOf(prefix, of('SECRET'), of('SECRET_FILE'), problems),
    tokenUrl: of('TOKEN_URL') as string | undefined,
    account: of('ACCOUNT') as OperatorSettings['account'],
    mode: of('MODE') as OperatorSettings['mode'],
    maxCalls: of('MAX_CALLS') as number,
    currencies: of('CURRENCIES') as string[],
  };
}

/** The secret, wherever it stands; empty where that is among the problems. */
function secretOf(prefix: string, given: unknown, file: unknown, problems: string[]): string {
  const name = `${prefix}_SECRET_FILE`;
  if (given !== undefined && file !== undefined) {
    problems.push(`${name} and ${prefix}_SECRET are both given: keep one of them.`);
  }
  if (typeof given === 'string') return given;
  if (typeof file !== 'string') return '';
  const example = `For example: ${name}=/run/secrets/operator`;
  try {
    const secret = text.parse(readFileSync(file, 'utf8').trim());
    if (secret !== undefined) return secret;
    problems.push(`${name} must name a file that holds ${text.rule}. ${example}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    problems.push(
      `${name} names ${JSON.stringify(file)}, which cannot be read (${code}). ${example}`,
    );
  }
  return '';
}
