import { createHmac, hkdfSync } from 'node:crypto';
import type { SecretKeys } from '../secrets/secret-keys.ts';
import { currencies } from '../values/money.ts';
import { backupVariables } from './backup-variables.ts';
import type { Config, QuotaByMode } from './config.ts';
import type { FeeSetting } from './kinds.ts';
import { liveOperatorNames, operatorNames } from './operator-catalogue.ts';
import type { OperatorSettings } from './operator-settings.ts';
import { secretsOf } from './secret-files.ts';
import { type Variable, variables } from './variables.ts';

type Name = keyof typeof variables;

/** Settings that may differ between processes. All others must agree. */
export const ownSettings: readonly Name[] = [
  // The addresses of this process, its database and its files.
  'PORT',
  'HOST',
  'OPERATIONS_PORT',
  'OPERATIONS_HOST',
  'TRUST_PROXY',
  'DATABASE_URL',
  'DATABASE_CONNECTIONS',
  'DATA_DIR',
  // The work of this process, its logs and traces.
  'ZIMBO_ROLE',
  'ZIMBO_CELLS',
  'ZIMBO_PROCESSES',
  'LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_SAMPLER_ARG',
  // Limits that each process counts alone.
  'RATE_LIMIT',
  'RATE_LIMIT_UNAUTHORIZED',
  'PAGE_ATTEMPTS_PER_ADDRESS',
  'PAGE_STREAMS',
  ...liveOperatorNames.map((operator) => `OPERATOR_${operator}_MAX_CALLS` as const),
  // The paths may differ; the contents of the files must agree.
  ...(secretsOf(variables).map((name) => `${name}_FILE`) as Name[]),
  // Only the processes with a schedule make backups.
  ...(Object.keys(backupVariables) as (keyof typeof backupVariables)[]),
  // For the first start, and for commands.
  'ZIMBO_ALLOW_LIVE_EMBEDDED',
];

/** The prefix of a digest shown in place of a secret. */
export const digestMark = 'digest ';

const notSet = 'not set';
const digestLength = 12;

/**
 * Each setting that must agree, with its value as text. For a secret, the text is a digest, keyed with the
 * secret key.
 */
export function sharedSettings(config: Config, keys: SecretKeys): Record<string, string> {
  const { operatorTimeoutMs, paymentExpiryMs, paymentExpiryGraceMs, retentionMs } = config;
  const { webhookAllowPrivate, endpointLimits, page, dailySettlement } = config;
  const digest = digester(keys.current);
  return {
    PUBLIC_URL: config.publicUrl,
    CONSOLE_URL: config.consoleUrl,
    WEBHOOK_ALLOW_PRIVATE: `${webhookAllowPrivate.live} (live), ${webhookAllowPrivate.test} (test)`,
    WEBHOOK_ENDPOINTS: String(endpointLimits.perTenant),
    WEBHOOK_ENDPOINTS_PER_HOST: String(endpointLimits.perHost),
    // The digest is over the name: the key itself is never digested.
    ZIMBO_SECRET_KEY: digest('ZIMBO_SECRET_KEY'),
    ZIMBO_SECRET_KEY_PREVIOUS: keys.previous ? digest(keys.previous.toString('hex')) : notSet,
    RETENTION_DAYS: daysOf(retentionMs),
    PERSONAL_DATA_RETENTION_DAYS: daysOf(config.personalDataRetentionMs),
    LEGAL_RETENTION_DAYS: daysOf(config.legalRetentionMs || undefined),
    ...Object.fromEntries(
      operatorNames.map((operator) => [`FEE_${operator}`, feeOf(config.fees[operator])]),
    ),
    PAYMENT_EXPIRY_SECONDS: String(paymentExpiryMs / 1_000),
    PAYMENT_EXPIRY_GRACE_SECONDS: String(paymentExpiryGraceMs / 1_000),
    OPERATOR_TIMEOUT_SECONDS: String(operatorTimeoutMs / 1_000),
    PAYMENT_WATCH_HOURS: String(config.paymentWatchMs / 3_600_000),
    PAYMENT_REVIEW_HOURS: String(config.paymentReviewAfterMs / 3_600_000),
    SIMULATOR_DELAY_MS: String(config.simulatorDelayMs),
    SETTLEMENT_HOUR: String(dailySettlement.hour),
    SETTLEMENT_TIME_ZONE: dailySettlement.timeZone,
    PAYOUT_FORMAT: config.payouts.format,
    ...payoutAccounts(config, digest),
    REFUND_APPROVAL_ABOVE:
      Object.entries(config.refundApprovalAbove)
        .map(([currency, amountMinor]) => `${currency}=${amountMinor}`)
        .join(',') || notSet,
    FOUR_EYES: [...config.fourEyes].join(',') || notSet,
    PROMPTS_PER_PHONE: config.promptLimits
      ? `${config.promptLimits.ofMerchant}/${config.promptLimits.inAll}`
      : 'off',
    PAGE_ATTEMPTS_PER_PHONE: quotaOf(page.attemptsPerPhone),
    ...signOnSettings(config, digest),
    ...noticeSettingsOf(config, digest),
    ...operatorSettings(config, digest),
  };
}

/** The number is not secret, but the list of processes need not show it. */
function payoutAccounts({ payouts }: Config, digest: (text: string) => string) {
  return Object.fromEntries(
    currencies.map((currency) => {
      const account = payouts.accounts[currency];
      return [`PAYOUT_ACCOUNT_${currency}`, account ? digest(JSON.stringify(account)) : notSet];
    }),
  );
}

function signOnSettings({ signOn }: Config, digest: (text: string) => string) {
  return {
    OIDC_ISSUER: signOn?.issuer ?? notSet,
    OIDC_CLIENT_ID: signOn?.clientId ?? notSet,
    OIDC_CLIENT_SECRET: signOn ? digest(signOn.clientSecret) : notSet,
    OIDC_LABEL: signOn?.label ?? notSet,
  };
}

function noticeSettingsOf({ mail, noticeWebhook }: Config, digest: (text: string) => string) {
  return {
    SMTP_URL: mail ? digest(JSON.stringify(mail.server)) : notSet,
    MAIL_FROM: mail ? `${mail.from.name} <${mail.from.address}>` : notSet,
    NOTICE_WEBHOOK_URL: noticeWebhook ? digest(noticeWebhook.url) : notSet,
    NOTICE_WEBHOOK_SECRET: noticeWebhook ? digest(noticeWebhook.secret) : notSet,
  };
}

const daysOf = (ms: number | undefined) => (ms === undefined ? 'off' : String(ms / 86_400_000));

const feeOf = ({ basisPoints, fixedMinor }: FeeSetting) =>
  fixedMinor === 0n ? String(basisPoints) : `${basisPoints}+${fixedMinor}`;

function quotaOf(byMode: QuotaByMode): string {
  const [live, test] = [byMode.live, byMode.test].map((quota) =>
    quota ? `${quota.count}/${quota.windowMs / 60_000}` : 'no limit',
  );
  return `${live} (live), ${test} (test)`;
}

/** Covers every setting of an operator, so that a setting added later is not forgotten. */
function operatorSettings(config: Config, digest: (text: string) => string) {
  const settings: Record<string, string> = {};
  for (const operator of liveOperatorNames) {
    const configured = config.operators[operator];
    settings[`OPERATOR_${operator}_URL`] = notSet;
    for (const [key, value] of Object.entries(configured ? flat(configured) : {})) {
      const name = `OPERATOR_${operator}_${key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
      if (isOwn(name)) continue;
      const text = textOf(value);
      settings[name] = mayBeShown(name) || text === notSet ? text : digest(text);
    }
  }
  return settings;
}

/** The settings, by the name of their variable. */
function flat({ callbackAuth, ...settings }: OperatorSettings): Record<string, unknown> {
  const { addresses, secret, certificates } = callbackAuth;
  return {
    ...settings,
    callbackAddresses: addresses,
    callbackSecret: secret,
    callbackCertificate: certificates,
  };
}

const isOwn = (name: string) => (ownSettings as readonly string[]).includes(name);

/** A valid address contains no password; a refused one may. */
function mayBeShown(name: string): boolean {
  const variable: Variable<unknown> | undefined = variables[name as Name];
  return variable !== undefined && variable.secret !== true;
}

function textOf(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return notSet;
  if (Array.isArray(value)) return value.map(textOf).join(',');
  if (typeof value === 'object' && value !== null)
    return Object.values(value).map(textOf).join('@');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Without the key, a digest reveals only whether two texts are the same. */
function digester(secretKey: Buffer): (text: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'zimbo shared settings', 32));
  return (text) => {
    const digest = createHmac('sha256', key).update(text).digest('base64url');
    return digestMark + digest.slice(0, digestLength);
  };
}
