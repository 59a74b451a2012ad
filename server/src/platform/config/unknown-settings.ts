import { variables } from './variables.ts';

/** Settings of earlier versions, and what to do instead. */
const removed: Record<string, string> = {
  API_DOCS: 'OPERATIONS_PORT keeps /docs and /openapi.json from the public',
  ZIMBO_DEMO_API_KEY: 'demo.env in DATA_DIR holds the key of the merchant "Demo"',
};

/** One line for each removed setting that is still in use. */
export const removedNames = (env: NodeJS.ProcessEnv): string[] =>
  Object.entries(removed)
    .filter(([name]) => env[name])
    .map(([name, instead]) => `${name} is no longer a setting; remove it. Instead, ${instead}.`);

/** Variables that the README and the tests use. */
const namesOfOthers = [
  'ZIMBO_URL',
  'ZIMBO_API_KEY',
  'ZIMBO_ADMIN_URL',
  'ZIMBO_ADMIN_KEY',
  'ZIMBO_WEBHOOK_SECRET',
  'ZIMBO_TEST_DATABASE',
  'ZIMBO_TEST_CITUS',
  'ZIMBO_TEST_CELLS',
  'ZIMBO_TEST_PROCESSES',
  // deploy/compose.yaml: the image to run, and the prefix of commands there.
  'ZIMBO_VERSION',
  'ZIMBO_COMMAND',
];
/** Kubernetes sets such variables in every container if a service is called zimbo or zimbo-…. */
const kubernetesName = /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/;
const kubernetesAddress = /^(tcp|udp|sctp):\/\//;

/** Prefixes that only Zimbo uses: any other name with such a prefix is a typo. */
const ownBeginnings = [
  'ZIMBO_',
  // A misspelt setting with one of these prefixes would silently switch a control off.
  'BACKUP_KEEP',
  'BACKUP_RECIP',
  'BACKUP_S3',
  'BACKUP_SCHED',
  'BACKUP_VERIF',
  'DATABASE_CONN',
  'DISBURSEMENT',
  'FEE_',
  'FOUR_EYE',
  'LEGAL_RETENTION',
  'NOTICE_WEBHOOK',
  'OIDC_',
  'OPERATIONS_',
  'OPERATOR_',
  'PAGE_ATTEMPT',
  'PAGE_STREAM',
  'PAYMENT_EXP',
  'PAYMENT_REVIEW',
  'PAYMENT_WATCH',
  'PAYOUT_',
  'PERSONAL_DATA',
  'PROMPTS_PER_',
  'RATE_LIM',
  'REFUND_APPROVAL',
  'RETENTION_',
  'SETTLEMENT_',
  'TRUST_PROX',
  'WEBHOOK_ALLOW',
  'WEBHOOK_ENDPOINT',
];

/** One line for each name that looks like a setting, but is not. */
export function unknownNames(env: NodeJS.ProcessEnv): string[] {
  return ownBeginnings.flatMap((beginning) => {
    const own = Object.keys(variables).filter((name) => name.startsWith(beginning));
    return Object.entries(env)
      .filter(
        ([name]) =>
          name.startsWith(beginning) &&
          ![...own, ...namesOfOthers].includes(name) &&
          !removed[name],
      )
      .filter(([name, text]) => !kubernetesName.test(name) && !kubernetesAddress.test(text ?? ''))
      .map(
        ([name]) =>
          `${name} is not a setting. Is it a typo? Settings with a similar name: ${likest(own, name).join(', ')}.`,
      );
  });
}

/** The settings with the longest common prefix: operators have too many settings to list all. */
function likest(own: string[], name: string): string[] {
  const shared = (other: string) => {
    let length = 0;
    while (length < other.length && other[length] === name[length]) length += 1;
    return length;
  };
  return own.toSorted((one, other) => shared(other) - shared(one)).slice(0, 20);
}
