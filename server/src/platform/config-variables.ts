import { type OperatorName, operatorNames } from '../config/catalogue.ts';
import {
  baseUrl,
  boolean,
  choice,
  databaseUrl,
  daysOrOff,
  fee,
  hostName,
  hours,
  integer,
  type Kind,
  label,
  path,
  promptQuota,
  quota,
  rateLimit,
  rateLimitOrOff,
  secretKey,
  share,
  testKey,
  timeZone,
  trustedProxies,
} from './config-kinds.ts';
import { operatorVariables } from './config-operators.ts';

/** One setting, as the gateway reads it and as docs/configuration.md tells of it. */
export interface Variable<T> {
  group: string;
  kind: Kind<T>;
  /** Read like a given text. Without one the value is undefined. */
  default?: string;
  /** Without `default`: what happens when nothing is given. */
  otherwise?: string;
  about: string;
  example: string;
  /** Its value is never shown. */
  secret?: true;
}

const network = { group: 'Network' };
const storage = { group: 'Database and keys' };
const payments = { group: 'Payments' };
const paymentPage = { group: 'Payment page' };
const feeOf = (operator: string) => ({
  ...payments,
  kind: fee,
  default: '200',
  about: `The fee of a payment over ${operator}, frozen at its creation; rounded half up, at most the amount.`,
  example: '200+50',
});

const feeVariables = Object.fromEntries(
  operatorNames.map((operator) => [`FEE_${operator}`, feeOf(operator)]),
) as Record<`FEE_${OperatorName}`, ReturnType<typeof feeOf>>;

/** The one table of settings: read, checked and documented from here. */
export const variables = {
  PORT: {
    ...network,
    kind: integer(0, 65_535),
    default: '3000',
    about: 'The port of the HTTP server; 0 takes any that is free.',
    example: '8080',
  },
  HOST: {
    ...network,
    kind: hostName,
    default: '127.0.0.1',
    about:
      'The address that the HTTP server listens on. 0.0.0.0 or :: is every address of the machine.',
    example: '0.0.0.0',
  },
  OPERATIONS_PORT: {
    ...network,
    kind: integer(0, 65_535),
    otherwise: 'they are served on PORT',
    about:
      'A port of its own for /metrics, /docs and /openapi.json, which PORT then does not serve; /healthz and /readyz are on both. 0 takes any that is free.',
    example: '3001',
  },
  OPERATIONS_HOST: {
    ...network,
    kind: hostName,
    default: '127.0.0.1',
    about: 'The address that OPERATIONS_PORT is on.',
    example: '10.0.0.5',
  },
  API_DOCS: {
    ...network,
    kind: boolean,
    default: 'true',
    about: 'Whether the API reference is served: /docs and /openapi.json.',
    example: 'false',
  },
  PUBLIC_URL: {
    ...network,
    kind: baseUrl,
    otherwise: 'http://HOST:PORT',
    about: 'Where clients reach the gateway, proxies included; a slash at its end is dropped.',
    example: 'https://pay.example.cv',
  },
  TRUST_PROXY: {
    ...network,
    kind: trustedProxies,
    default: 'false',
    about:
      'The proxies whose X-Forwarded-For is believed. With true everyone is believed: only for where nothing but your proxy can connect.',
    example: '10.0.0.0/8,192.168.1.7',
  },
  RATE_LIMIT: {
    ...network,
    kind: rateLimitOrOff,
    default: '1000/5000',
    about:
      'Requests per second and burst of one tenant (a merchant in one mode), for each process. With off nothing is limited, requests without a valid key included.',
    example: '200/1000',
  },
  RATE_LIMIT_UNAUTHORIZED: {
    ...network,
    kind: rateLimit,
    default: '10/100',
    about:
      'The same for requests without a valid key or payment link, of one address (of IPv6: of one /64).',
    example: '5/20',
  },
  WEBHOOK_ALLOW_PRIVATE: {
    ...network,
    kind: boolean,
    otherwise:
      'for test keys true while HOST and PUBLIC_URL are loopback and neither DATABASE_URL nor a ZIMBO_ROLE but all is set, else false',
    about:
      'Whether webhooks may go to private addresses (localhost, 10.0.0.0/8 …). Where set it counts for live and test keys.',
    example: 'false',
  },
  WEBHOOK_ENDPOINTS: {
    ...network,
    kind: integer(1, 10_000),
    default: '100',
    about:
      'How many webhook endpoints one tenant may have. Each event is sent to every one that is subscribed to it.',
    example: '500',
  },
  WEBHOOK_ENDPOINTS_PER_HOST: {
    ...network,
    kind: integer(1, 10_000),
    default: '20',
    about: 'How many of them may lead to one host and port, whatever their paths.',
    example: '3',
  },
  LOG_LEVEL: {
    group: 'Process',
    kind: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    about: 'What is logged, as JSON lines on stderr; debug adds a line for each request.',
    example: 'debug',
  },
  ZIMBO_ROLE: {
    group: 'Process',
    kind: choice('api', 'worker', 'all'),
    default: 'all',
    about:
      'api answers requests and leaves the work on payments and deliveries to other processes; worker and all do that work.',
    example: 'api',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'Process',
    kind: baseUrl,
    otherwise: 'nothing is traced',
    about:
      'The OpenTelemetry collector that traces are sent to, by OTLP over HTTP under /v1/traces. docs/tracing.md tells what they show.',
    example: 'http://localhost:4318',
  },
  OTEL_SERVICE_NAME: {
    group: 'Process',
    kind: label,
    default: 'zimbo',
    about: 'The name of this gateway in traces.',
    example: 'zimbo-worker',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    group: 'Process',
    kind: share,
    default: '1',
    about:
      'Which share of the traces is made and sent. All of them cost a busy gateway a quarter of its speed.',
    example: '0.05',
  },
  DATABASE_URL: {
    ...storage,
    kind: databaseUrl,
    otherwise: 'the embedded PostgreSQL in DATA_DIR',
    about: 'The PostgreSQL (15 or later) to use. Its role should not be a superuser.',
    example: 'postgres://zimbo:secret@db.internal/zimbo',
    secret: true,
  },
  DATABASE_CONNECTIONS: {
    ...storage,
    kind: integer(1, 1_000),
    default: '16',
    about: 'How many connections to the database one process holds at most.',
    example: '32',
  },
  DATA_DIR: {
    ...storage,
    kind: path,
    otherwise: '.zimbo in the checkout',
    about:
      'Without DATABASE_URL: where the embedded PostgreSQL, its secret key and demo.env lie. A relative path starts at the working directory.',
    example: '/var/lib/zimbo',
  },
  ZIMBO_SECRET_KEY: {
    ...storage,
    kind: secretKey,
    otherwise: 'kept in DATA_DIR; required with DATABASE_URL',
    about:
      'Encrypts the secrets of webhook endpoints in the database, and the key of [digests](secrets.md). Make one with `openssl rand -base64 32`, or with `node -p "crypto.randomBytes(32).toString(\'base64\')"`, and keep it: what was encrypted with it can be read with no other.',
    example: 'the output of openssl rand -base64 32',
    secret: true,
  },
  ZIMBO_SECRET_KEY_PREVIOUS: {
    ...storage,
    kind: secretKey,
    otherwise: 'none',
    about:
      'While ZIMBO_SECRET_KEY is being replaced: the other key. What was encrypted with it can be read too, and operators may call back addresses made under it; see [secrets](secrets.md).',
    example: 'what ZIMBO_SECRET_KEY was before',
    secret: true,
  },
  RETENTION_DAYS: {
    ...storage,
    kind: daysOrOff,
    default: '30',
    about:
      'How long events and their deliveries are kept, and what operators said of payments that are closed; with off (or 0) for ever. What is still to be delivered or to be cleared up stays. Payments, refunds, settlements and postings always stay.',
    example: '90',
  },
  PERSONAL_DATA_RETENTION_DAYS: {
    ...storage,
    kind: daysOrOff,
    default: '3653',
    about:
      'How long phones, and what merchants wrote of customers, stay with payments, refunds, checkout sessions and events; with off (or 0) for ever. Then a placeholder takes their place, for good; amounts, states and references stay. What is under way or for review waits for its end. See [personal data](privacy.md).',
    example: '730',
  },
  LEGAL_RETENTION_DAYS: {
    ...storage,
    kind: daysOrOff,
    default: '3653',
    about:
      'How long a live payment that moved money keeps its phone, also where the customer asks to be forgotten: what the law on money laundering or on books demands of you. With off (or 0) nothing is kept for the law.',
    example: '2557',
  },
  ZIMBO_DEMO_API_KEY: {
    ...storage,
    kind: testKey,
    otherwise: 'a random one',
    about:
      'The test key that the merchant "Demo" gets when an embedded database is started for the first time. Later it is ignored: demo.env in DATA_DIR says which key it is.',
    example: 'sk_test_ and 32 letters and digits',
    secret: true,
  },
  ZIMBO_ALLOW_LIVE_EMBEDDED: {
    ...storage,
    kind: boolean,
    default: 'false',
    about:
      'Lets live keys be made on the embedded database, which has no replica and no backup of its own.',
    example: 'true',
  },
  ...feeVariables,
  PAYMENT_EXPIRY_SECONDS: {
    ...payments,
    kind: integer(1, 86_400),
    default: '300',
    about: 'How long a customer has to confirm a payment.',
    example: '600',
  },
  PAYMENT_EXPIRY_GRACE_SECONDS: {
    ...payments,
    kind: integer(0, 86_400),
    default: '60',
    about:
      'How much longer a payment waits for an operator that still says "pending" before it is EXPIRED.',
    example: '120',
  },
  OPERATOR_TIMEOUT_SECONDS: {
    ...payments,
    kind: integer(1, 300),
    default: '10',
    about:
      'How long an operator may take to answer; after that the outcome is unknown and asked for.',
    example: '20',
  },
  PAYMENT_REVIEW_HOURS: {
    ...payments,
    kind: integer(1, 8_760),
    default: '24',
    about:
      'After how many hours without a definite word from the operator a payment is for review: "zimbo review" lists it.',
    example: '6',
  },
  PAYMENT_WATCH_HOURS: {
    ...payments,
    kind: hours,
    default: '72',
    about:
      'How many hours the gateway keeps asking an operator about a payment, refund or reversal that was sent and whose outcome nobody knows; then a person must look.',
    example: '24',
  },
  SIMULATOR_DELAY_MS: {
    ...payments,
    kind: integer(0, 3_600_000),
    default: '2000',
    about:
      'With a test key: after how many milliseconds the simulated customer answers. With 0 the outcome is there at once.',
    example: '0',
  },
  PROMPTS_PER_PHONE: {
    ...payments,
    kind: promptQuota,
    default: '10/30',
    about:
      'With a live key: how often in 24 hours one merchant, and all merchants together, may ask one phone for its PIN without a debit; between two such prompts of a merchant the pauses grow. With off only phones that are blocked (zimbo phones) are spared.',
    example: '5/20',
  },
  SETTLEMENT_HOUR: {
    ...payments,
    kind: integer(0, 23),
    default: '2',
    about: 'The hour of the day at which everything payable is settled.',
    example: '23',
  },
  SETTLEMENT_TIME_ZONE: {
    ...payments,
    kind: timeZone,
    default: 'Atlantic/Cape_Verde',
    about: 'The time zone of SETTLEMENT_HOUR.',
    example: 'Africa/Luanda',
  },
  PAGE_ATTEMPTS_PER_PHONE: {
    ...paymentPage,
    kind: quota,
    otherwise: 'for live keys 5/15, for test keys no limit',
    about:
      'How many attempts without a debit one phone may have with one merchant, in how many minutes: nobody is to be pestered with requests for the PIN. Where set it counts for live and test keys.',
    example: '3/10',
  },
  PAGE_ATTEMPTS_PER_ADDRESS: {
    ...paymentPage,
    kind: quota,
    otherwise: 'for live keys 60/15, for test keys no limit',
    about:
      'The same for one address, debits included, for each process. Mobile networks put many customers behind one address.',
    example: '200/15',
  },
  PAGE_STREAMS: {
    ...paymentPage,
    kind: integer(0, 100_000),
    default: '2000',
    about:
      'How many open pages one process tells of changes at once; further ones ask every few seconds.',
    example: '500',
  },
  ...operatorVariables,
} satisfies Record<string, Variable<unknown>>;
