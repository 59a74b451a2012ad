import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { StartError } from '../errors/start-error.ts';
import type { RateLimits } from '../http/auth.ts';
import { isLoopback } from '../network/networks.ts';
import { isPublicAddress, literalAddress } from '../network/public-addresses.ts';
import type { TracingSetting } from '../observability/tracing.ts';
import { type AmountLimits, type FourEyes, noFourEyes } from '../values/four-eyes.ts';
import { type BackupSetting, backupProblems, backupSettingOf } from './backup-variables.ts';
import { type CompanySettings, companyOf } from './company.ts';
import { contradictions } from './contradictions.ts';
import { type DisbursementSettings, disbursementsOf } from './disbursement-variables.ts';
import { consoleUrlAt, type FeeSetting, type Kind, type PromptQuota, type Quota } from './kinds.ts';
import { type MailSetting, type NoticeWebhook, noticeSettings } from './notice-variables.ts';
import { type OperatorName, operatorNames, recordOf } from './operator-catalogue.ts';
import { type OperatorConfigs, operatorConfigs } from './operator-settings.ts';
import { type PayoutSettings, payoutsOf } from './payout-account.ts';
import { sharingProblems } from './process-shares.ts';
import { fileProblemOf, type ReadEnvironment, readSecretFiles } from './secret-files.ts';
import { secretKeyProblems } from './secret-key-problems.ts';
import { type SignOnSetting, signOnOf, signOnProblems } from './sign-on-variables.ts';
import { removedNames, unknownNames } from './unknown-settings.ts';
import { type Variable, variables } from './variables.ts';

/** Undefined: no limit. */
export type QuotaByMode = Record<'live' | 'test', Quota | undefined>;

/** The settings of one process, checked; docs/configuration.md describes them. */
export interface Config {
  port: number;
  host: string;
  /** Undefined: `port` serves the operational endpoints too. */
  operations: { port: number; host: string } | undefined;
  /** Without a trailing slash. */
  publicUrl: string;
  /** An origin, without a path. */
  consoleUrl: string;
  trustProxy: string[];
  rateLimits: RateLimits | 'off';
  /** `isGiven`: the value comes from the setting, and was not derived from HOST and PUBLIC_URL. */
  webhookAllowPrivate: { live: boolean; test: boolean; isGiven: boolean };
  endpointLimits: { perTenant: number; perHost: number };
  /** Undefined: the level depends on the destination of the log. */
  logLevel: string | undefined;
  role: 'api' | 'worker' | 'all';
  /** The cells whose work this process does; undefined: all cells. */
  cells: string[] | undefined;
  /** The number of processes that serve the port. */
  processes: number;
  tracing: TracingSetting | undefined;
  databaseUrl: string | undefined;
  databaseConnections: number;
  /** Absolute. */
  dataDir: string;
  secretKey: Buffer | undefined;
  /** Decrypts older data while secretKey is being replaced. */
  previousSecretKey: Buffer | undefined;
  /** Undefined: events are kept forever. */
  retentionMs: number | undefined;
  /** Undefined: payments keep phones and customers' references forever. */
  personalDataRetentionMs: number | undefined;
  /**
   * How long a payment that moved money keeps them even if the customer asks for erasure; 0: no law requires
   * it.
   */
  legalRetentionMs: number;
  allowLiveEmbedded: boolean;
  backup: BackupSetting;
  fees: Record<OperatorName, FeeSetting>;
  paymentExpiryMs: number;
  /** Undefined: off. */
  promptLimits: (PromptQuota & { pausesMs: readonly number[] }) | undefined;
  paymentExpiryGraceMs: number;
  operatorTimeoutMs: number;
  page: { attemptsPerPhone: QuotaByMode; attemptsPerAddress: QuotaByMode; streams: number };
  /** The configured operators, for live payments. */
  operators: OperatorConfigs;
  paymentReviewAfterMs: number;
  /** How long the gateway keeps querying an unknown outcome. */
  paymentWatchMs: number;
  simulatorDelayMs: number;
  dailySettlement: { hour: number; timeZone: string };
  payouts: PayoutSettings;
  company: CompanySettings;
  /** The amount of a payment that may be refunded without a second person. */
  refundApprovalAbove: AmountLimits;
  /** Other actions that need a second person. */
  fourEyes: FourEyes;
  disbursements: DisbursementSettings;
  /** Undefined: people can sign in only with Zimbo itself. */
  signOn: SignOnSetting | undefined;
  /** Undefined: no mail is sent. */
  mail: MailSetting | undefined;
  /** Undefined: the company gets notices only in the console and by mail. */
  noticeWebhook: NoticeWebhook | undefined;
  /** Every setting as read, by the name of its variable. */
  values: Readonly<Record<string, unknown>>;
}

type Joined = Pick<Config, 'operators' | 'payouts' | 'company' | 'mail' | 'noticeWebhook'>;

type Values = {
  [N in keyof typeof variables]: (typeof variables)[N] extends { kind: Kind<infer T> }
    ? T | ((typeof variables)[N] extends { default: string } ? never : undefined)
    : never;
};

const checkout = join(import.meta.dirname, '..', '..', '..', '..');
const longestEcho = 60;
const dayMs = 86_400_000;
/** The customer may correct a wrong PIN at once; the pauses between further attempts grow. */
const pausesMs = [0, 60_000, 300_000, 900_000, 3_600_000];
const daysMs = (days: number | 'off') => (days === 'off' ? undefined : days * dayMs);

/**
 * Reads the environment; an empty text counts as not set.
 * @param use most commands encrypt nothing, so they do not need ZIMBO_SECRET_KEY.
 * @throws StartError that lists all problems at once.
 */
export function loadConfig(env: NodeJS.ProcessEnv, use: 'gateway' | 'command' = 'gateway'): Config {
  const { values, joined, problems } = readAll(env, use);
  if (problems.length > 0) throw configurationError(problems);
  return configOf(values, joined);
}

/** The problems for which {@link loadConfig} would throw, one line each. */
export function configurationProblems(env: NodeJS.ProcessEnv): string[] {
  return readAll(env, 'gateway').problems;
}

function readAll(
  environment: NodeJS.ProcessEnv,
  use: 'gateway' | 'command',
): { values: Values; joined: Joined; problems: string[] } {
  const problems: string[] = [];
  const given = readSecretFiles(variables, environment, problems);
  const { env } = given;
  const values = Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [
      name,
      read(name, variable, given, problems),
    ]),
  ) as Values;
  problems.push(...secretKeyProblems(env, values, use));
  const operators = operatorConfigs(values, env, problems);
  const payouts = payoutsOf(values, problems);
  const company = companyOf(values, problems);
  const joined = { operators, payouts, company, ...noticeSettings(values, env, problems) };
  problems.push(...sharingProblems(values, operators));
  problems.push(
    ...signOnProblems(env),
    ...backupProblems(env),
    ...contradictions(values),
    ...removedNames(env),
    ...unknownNames(env),
  );
  if (problems.length === 0) problems.push(...noticeWebhookProblems(values, joined.noticeWebhook));
  return { values, joined, problems };
}

/** Notices follow the same rule as webhook endpoints: to a forbidden address nothing would ever be sent. */
function noticeWebhookProblems(values: Values, webhook: NoticeWebhook | undefined): string[] {
  if (!webhook) return [];
  const url = new URL(webhook.url);
  const address = literalAddress(url.hostname);
  if (address === undefined || isPublicAddress(address)) return [];
  const allowed = allowPrivate(values, publicUrlOf(values));
  const isAllowed = url.protocol === 'https:' ? allowed.live : allowed.test;
  if (isAllowed) return [];
  return [
    `NOTICE_WEBHOOK_URL leads to the private address ${address}, to which nothing is sent without WEBHOOK_ALLOW_PRIVATE=true. Set that too, or use a public address.`,
  ];
}

function read(
  name: string,
  variable: Variable<unknown>,
  { env, fromFiles, unread }: ReadEnvironment,
  problems: string[],
): unknown {
  const text = env[name] || variable.default;
  if (text === undefined || unread.has(name)) return undefined;
  const value = variable.kind.parse(text);
  if (value !== undefined) return value;
  const isFile = fromFiles.has(name);
  problems.push(isFile ? fileProblemOf(name, variable) : problemOf(name, variable, text));
  return undefined;
}

function problemOf(name: string, { kind, example, secret }: Variable<unknown>, text: string) {
  const shown = text.length > longestEcho ? `${text.slice(0, longestEcho)}…` : text;
  const found = secret ? 'the value given is not' : `not ${JSON.stringify(shown)}`;
  return `${name} must be ${kind.rule}; ${found}. For example: ${name}=${example}`;
}

function configurationError(problems: string[]): StartError {
  const heading =
    problems.length === 1 ? 'A setting is wrong:' : `${problems.length} settings are wrong:`;
  const list = problems.map((problem) => `- ${problem}`).join('\n');
  return new StartError(`${heading}\n${list}`, 'docs/configuration.md describes every setting.');
}

function configOf(values: Values, joined: Joined): Config {
  const { PORT: port, HOST: host, RATE_LIMIT: tenant, DATA_DIR: dataDir } = values;
  const publicUrl = publicUrlOf(values);
  return {
    port,
    host,
    operations:
      values.OPERATIONS_PORT === undefined
        ? undefined
        : { port: values.OPERATIONS_PORT, host: values.OPERATIONS_HOST },
    publicUrl,
    consoleUrl: values.CONSOLE_URL ?? consoleUrlAt(publicUrl),
    trustProxy: values.TRUST_PROXY,
    rateLimits:
      tenant === 'off' ? 'off' : { tenant, unauthenticated: values.RATE_LIMIT_UNAUTHORIZED },
    webhookAllowPrivate: allowPrivate(values, publicUrl),
    endpointLimits: {
      perTenant: values.WEBHOOK_ENDPOINTS,
      perHost: values.WEBHOOK_ENDPOINTS_PER_HOST,
    },
    logLevel: values.LOG_LEVEL,
    role: values.ZIMBO_ROLE,
    cells: values.ZIMBO_CELLS,
    processes: values.ZIMBO_PROCESSES,
    tracing: tracingOf(values),
    databaseUrl: values.DATABASE_URL,
    databaseConnections: values.DATABASE_CONNECTIONS,
    dataDir: dataDir === undefined ? join(checkout, '.zimbo') : resolve(dataDir),
    secretKey: values.ZIMBO_SECRET_KEY,
    previousSecretKey: values.ZIMBO_SECRET_KEY_PREVIOUS,
    retentionMs: daysMs(values.RETENTION_DAYS),
    personalDataRetentionMs: daysMs(values.PERSONAL_DATA_RETENTION_DAYS),
    legalRetentionMs: daysMs(values.LEGAL_RETENTION_DAYS) ?? 0,
    allowLiveEmbedded: values.ZIMBO_ALLOW_LIVE_EMBEDDED,
    backup: backupSettingOf(values, values.SETTLEMENT_TIME_ZONE),
    fees: recordOf(operatorNames, (operator) => values[`FEE_${operator}`]),
    paymentExpiryMs: values.PAYMENT_EXPIRY_SECONDS * 1_000,
    promptLimits:
      values.PROMPTS_PER_PHONE === 'off' ? undefined : { ...values.PROMPTS_PER_PHONE, pausesMs },
    paymentExpiryGraceMs: values.PAYMENT_EXPIRY_GRACE_SECONDS * 1_000,
    operatorTimeoutMs: values.OPERATOR_TIMEOUT_SECONDS * 1_000,
    page: {
      attemptsPerPhone: byMode(values.PAGE_ATTEMPTS_PER_PHONE, 5),
      attemptsPerAddress: byMode(values.PAGE_ATTEMPTS_PER_ADDRESS, 60),
      streams: values.PAGE_STREAMS,
    },
    ...joined,
    paymentReviewAfterMs: values.PAYMENT_REVIEW_HOURS * 3_600_000,
    paymentWatchMs: Math.ceil(values.PAYMENT_WATCH_HOURS * 3_600_000),
    simulatorDelayMs: values.SIMULATOR_DELAY_MS,
    dailySettlement: { hour: values.SETTLEMENT_HOUR, timeZone: values.SETTLEMENT_TIME_ZONE },
    refundApprovalAbove: values.REFUND_APPROVAL_ABOVE ?? {},
    fourEyes: values.FOUR_EYES ?? noFourEyes,
    disbursements: disbursementsOf(values),
    signOn: signOnOf(values),
    values,
  };
}

function tracingOf(values: Values): TracingSetting | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = values;
  const { OTEL_TRACES_SAMPLER_ARG: share } = values;
  return endpoint === undefined ? undefined : { endpoint, serviceName, share };
}

/** In test mode no real phone is prompted. */
function byMode(given: Quota | undefined, count: number): QuotaByMode {
  return { live: given ?? { count, windowMs: 15 * 60_000 }, test: given };
}

/** The zone of an address is only known on this machine, and not valid in a URL. */
const publicUrlOf = ({ PUBLIC_URL, HOST: host, PORT: port }: Values): string =>
  PUBLIC_URL ?? `http://${isIP(host) === 6 ? `[${host.replace(/%.*/, '')}]` : host}:${port}`;

/**
 * A developer who tries the gateway on one machine has receivers there, but a server must not call its own
 * network. A gateway with DATABASE_URL, or with several processes, counts as a server: one process does not
 * learn what another has found out about proxies.
 */
function allowPrivate(values: Values, publicUrl: string) {
  const { WEBHOOK_ALLOW_PRIVATE: given, HOST: host, DATABASE_URL, ZIMBO_ROLE: role } = values;
  const isAlone = DATABASE_URL === undefined && role === 'all' && values.ZIMBO_PROCESSES === 1;
  const isLocal = isLoopback(host) && isLoopback(new URL(publicUrl).hostname);
  return {
    live: given ?? false,
    test: given ?? (isAlone && isLocal),
    isGiven: given !== undefined,
  };
}
