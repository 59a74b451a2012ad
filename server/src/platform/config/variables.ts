import { backupVariables } from './backup-variables.ts';
import { companyVariables } from './company.ts';
import {
  baseUrl,
  boolean,
  cellNames,
  choice,
  consoleOrigin,
  databaseUrl,
  daysOrOff,
  hostName,
  integer,
  type Kind,
  label,
  path,
  processCount,
  rateLimit,
  rateLimitOrOff,
  secretKey,
  share,
  trustedProxies,
} from './kinds.ts';
import { noticeVariables } from './notice-variables.ts';
import { operatorVariables } from './operator-settings.ts';
import { paymentVariables } from './payment-variables.ts';
import { withFiles } from './secret-files.ts';
import { signOnVariables } from './sign-on-variables.ts';

/** One setting, as the gateway reads it and docs/configuration.md describes it. */
export interface Variable<T> {
  group: string;
  kind: Kind<T>;
  /** Parsed like a given text. Without a default, the value is undefined. */
  default?: string;
  /** Without `default`: the effect of leaving the setting out. */
  otherwise?: string;
  about: string;
  example: string;
  /** Its value is never shown, and may come from a file; 'when refused': shown only if valid. */
  secret?: true | 'when refused';
  /** The list of processes shows only a digest. A secret is always shown as one. */
  digest?: true;
  /** May differ between the processes on one database. All other settings must agree. */
  perProcess?: true;
}

const network = { group: 'Network' };
const storage = { group: 'Database and keys' };

/** The table of all settings, which are read, checked and documented from here. */
export const variables = withFiles({
  PORT: {
    ...network,
    kind: integer(0, 65_535),
    default: '3000',
    about: 'The port of the HTTP server; 0 picks a free one.',
    example: '8080',
    perProcess: true,
  },
  HOST: {
    ...network,
    kind: hostName,
    default: '127.0.0.1',
    about:
      'The address the HTTP server listens on. 0.0.0.0 or :: means every address of the machine.',
    example: '0.0.0.0',
    perProcess: true,
  },
  OPERATIONS_PORT: {
    ...network,
    kind: integer(0, 65_535),
    otherwise: 'none; PORT serves everything',
    about:
      'A separate port for /metrics, /docs, /openapi.json and /admin, which PORT then no longer serves; /healthz and /readyz are on both. 0 picks a free one.',
    example: '3001',
    perProcess: true,
  },
  OPERATIONS_HOST: {
    ...network,
    kind: hostName,
    default: '127.0.0.1',
    about: 'The address OPERATIONS_PORT listens on.',
    example: '10.0.0.5',
    perProcess: true,
  },
  PUBLIC_URL: {
    ...network,
    kind: baseUrl,
    otherwise: 'http://HOST:PORT',
    about:
      'The URL at which clients reach the gateway, through any proxy; a trailing slash is dropped.',
    example: 'https://pay.example.cv',
  },
  CONSOLE_URL: {
    ...network,
    kind: consoleOrigin,
    otherwise: 'where PUBLIC_URL is; on loopback http://localhost:PORT',
    about:
      'The URL at which people reach the [console](console.md); links to it and passkeys belong to this host. If the host changes, existing passkeys no longer work.',
    example: 'https://pay.example.cv',
  },
  TRUST_PROXY: {
    ...network,
    kind: trustedProxies,
    default: 'false',
    about:
      'The proxies whose X-Forwarded-For is trusted. With true, everyone is trusted: use that only if nothing but your proxy can connect.',
    example: '10.0.0.0/8,192.168.1.7',
    perProcess: true,
  },
  RATE_LIMIT: {
    ...network,
    kind: rateLimitOrOff,
    default: '1000/5000',
    about:
      'Requests per second and burst per tenant (a merchant in one mode), counted on each machine. off removes all rate limits, also for requests without a valid key.',
    example: '200/1000',
    perProcess: true,
  },
  RATE_LIMIT_UNAUTHORIZED: {
    ...network,
    kind: rateLimit,
    default: '10/100',
    about:
      'The same for requests without a valid key or payment link, per address (for IPv6, per /64).',
    example: '5/20',
    perProcess: true,
  },
  WEBHOOK_ALLOW_PRIVATE: {
    ...network,
    kind: boolean,
    otherwise:
      'receivers on the same machine for test keys while HOST and PUBLIC_URL are loopback, DATABASE_URL is not set, ZIMBO_ROLE is all and ZIMBO_PROCESSES is 1; otherwise false',
    about:
      'Whether webhooks may go to private addresses (localhost, 10.0.0.0/8 …). If set, it applies to live and test keys.',
    example: 'false',
  },
  WEBHOOK_ENDPOINTS: {
    ...network,
    kind: integer(1, 10_000),
    default: '100',
    about:
      'How many webhook endpoints a tenant may have. Each event is sent to every endpoint subscribed to it.',
    example: '500',
  },
  WEBHOOK_ENDPOINTS_PER_HOST: {
    ...network,
    kind: integer(1, 10_000),
    default: '20',
    about: 'How many of these may be on one host and port, regardless of path.',
    example: '3',
  },
  LOG_LEVEL: {
    group: 'Process',
    kind: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    otherwise: 'info; warn on a terminal, and on the embedded PostgreSQL in test mode',
    about:
      'The least severe level that is logged, as JSON lines on stderr; debug adds a line for each request.',
    example: 'debug',
    perProcess: true,
  },
  ZIMBO_ROLE: {
    group: 'Process',
    kind: choice('api', 'worker', 'all'),
    default: 'all',
    about:
      'api answers requests and leaves the processing of payments and deliveries to other processes; worker and all do that processing.',
    example: 'api',
    perProcess: true,
  },
  ZIMBO_PROCESSES: {
    group: 'Process',
    kind: processCount,
    default: '1',
    about:
      'How many processes serve PORT; auto is one for each core. See [several processes](#several-processes).',
    example: 'auto',
    perProcess: true,
  },
  ZIMBO_CELLS: {
    group: 'Process',
    kind: cellNames,
    otherwise: 'all cells',
    about:
      'With several [cells](cells.md): the names of those whose work this process does, `home` for the first. It answers requests for all cells in any case.',
    example: 'home,north',
    perProcess: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'Process',
    kind: baseUrl,
    otherwise: 'nothing is traced',
    about:
      'The OpenTelemetry collector to send traces to, by OTLP over HTTP at /v1/traces. See [tracing](monitoring.md#traces).',
    example: 'http://localhost:4318',
    perProcess: true,
  },
  OTEL_SERVICE_NAME: {
    group: 'Process',
    kind: label,
    default: 'zimbo',
    about: 'The name of this gateway in traces.',
    example: 'zimbo-worker',
    perProcess: true,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    group: 'Process',
    kind: share,
    default: '1',
    about:
      'The share of traces to record and send. Recording all of them costs a busy gateway a quarter of its speed.',
    example: '0.05',
    perProcess: true,
  },
  DATABASE_URL: {
    ...storage,
    kind: databaseUrl,
    otherwise: 'the embedded PostgreSQL in DATA_DIR',
    about:
      'The PostgreSQL database (15 or later, in UTF8) to use. The role should not be a superuser. Over a network, add `?sslmode=verify-full` and, for an authority of your own, `&sslrootcert=FILE` ([TLS](install.md#tls-to-postgresql)). With several hosts, `postgres://zimbo:secret@a:5432,b:5432/zimbo?target_session_attrs=read-write`, Zimbo uses the primary, and follows when another host becomes primary ([decision 0032](decisions/0032-fail-over.md)).',
    example: 'postgres://zimbo:secret@db.internal/zimbo',
    secret: true,
    perProcess: true,
  },
  DATABASE_CONNECTIONS: {
    ...storage,
    kind: integer(1, 1_000),
    default: '16',
    about:
      'The maximum number of connections to the database, and to each further Citus node with a [cell](cells.md); several processes of one machine (ZIMBO_PROCESSES) share them.',
    example: '32',
    perProcess: true,
  },
  DATA_DIR: {
    ...storage,
    kind: path,
    otherwise: '.zimbo in the checkout',
    about:
      'The folder for local files: payout files and erasures.jsonl, and without DATABASE_URL also the embedded PostgreSQL, its secret key and demo.env. A relative path is relative to the working directory.',
    example: '/var/lib/zimbo',
    perProcess: true,
  },
  ZIMBO_SECRET_KEY: {
    ...storage,
    kind: secretKey,
    otherwise: 'kept in DATA_DIR; required with DATABASE_URL',
    about:
      'Encrypts the secrets of webhook endpoints and of one-time codes in the database, and the key for [digests](keys.md#the-secret-key). Generate one with `openssl rand -base64 32`, or with `node -p "crypto.randomBytes(32).toString(\'base64\')"`, and keep it safe: nothing else can decrypt what it has encrypted.',
    example: 'the output of openssl rand -base64 32',
    secret: true,
  },
  ZIMBO_SECRET_KEY_PREVIOUS: {
    ...storage,
    kind: secretKey,
    otherwise: 'none',
    about:
      'While you replace ZIMBO_SECRET_KEY: the other key. The gateway can still decrypt data encrypted with it, and accepts callbacks to addresses made with it; see [the secret key](keys.md#the-secret-key).',
    example: 'what ZIMBO_SECRET_KEY was before',
    secret: true,
  },
  RETENTION_DAYS: {
    ...storage,
    kind: daysOrOff,
    default: '30',
    about:
      'How long to keep events, their deliveries, and what operators sent about closed payments; off (or 0) keeps them forever. Anything not yet delivered or resolved stays. Payments, refunds, settlements and postings always stay.',
    example: '90',
  },
  PERSONAL_DATA_RETENTION_DAYS: {
    ...storage,
    kind: daysOrOff,
    default: '3653',
    about:
      'How long payments, refunds, checkout sessions and events keep phone numbers and what merchants wrote about customers; off (or 0) keeps them forever. After that a placeholder replaces them for good; amounts, statuses and references stay. Anything in progress or under review is kept until it ends. See [personal data](privacy.md).',
    example: '730',
  },
  LEGAL_RETENTION_DAYS: {
    ...storage,
    kind: daysOrOff,
    default: '3653',
    about:
      'How long a live payment that moved money keeps its phone number even if the customer asks to be forgotten, as laws on money laundering or accounting may require of you. With off (or 0), nothing is kept for legal reasons.',
    example: '2557',
  },
  ZIMBO_ALLOW_LIVE_EMBEDDED: {
    ...storage,
    kind: boolean,
    default: 'false',
    about:
      'Allows live keys on the embedded database, which has no replica and no automatic backups.',
    example: 'true',
    perProcess: true,
  },
  ...backupVariables,
  ...signOnVariables,
  ...noticeVariables,
  ...companyVariables,
  ...paymentVariables,
  ...operatorVariables,
} satisfies Record<string, Variable<unknown>>);
