import { variables } from './variables.ts';

/** Settings of earlier versions, and what to do instead. */
const removed: Record<string, string> = {
  API_DOCS: 'OPERATIONS_PORT keeps /docs and /openapi.json from the public',
  ZIMBO_DEMO_API_KEY: 'demo.env in DATA_DIR holds the key of the merchant "Demo"',
};

/** A line for each. */
export const removedNames = (env: NodeJS.ProcessEnv): string[] =>
  Object.entries(removed)
    .filter(([name]) => env[name])
    .map(([name, instead]) => `${name} is no longer a setting; remove it. Instead, ${instead}.`);

/** Set by people who follow the README, and by the tests. */
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
  // deploy/compose.yaml: which image to run, and how commands are called there.
  'ZIMBO_VERSION',
  'ZIMBO_COMMAND',
];
/** Kubernetes sets such names in every container beside a service that is called zimbo or zimbo-…. */
const kubernetesName = /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/;
const kubernetesAddress = /^(tcp|udp|sctp):\/\//;

/** Names that only we use; under such a beginning everything else is a typo. */
const ownBeginnings = [
  'ZIMBO_',
  // A misspelt one of these would switch a control off without a word.
  'DATABASE_CONN',
  'FEE_',
  'FOUR_EYE',
  'NOTICE_WEBHOOK',
  'OIDC_',
  'OPERATOR_',
  'PAGE_ATTEMPT',
  'PAYOUT_',
  'PERSONAL_DATA',
  'PROMPTS_PER_',
  'RATE_LIMIT',
  'REFUND_APPROVAL',
  'RETENTION_',
  'SETTLEMENT_',
  'TRUST_PROX',
];

/** A line for each name that looks like a setting of ours, and is none. */
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
          `${name} is not a setting. Is it a typo? Settings that begin like it: ${likest(own, name).join(', ')}.`,
      );
  });
}

/** Those that share the most with it from the beginning: of operators there are too many to list. */
function likest(own: string[], name: string): string[] {
  const shared = (other: string) => {
    let length = 0;
    while (length < other.length && other[length] === name[length]) length += 1;
    return length;
  };
  return own.toSorted((one, other) => shared(other) - shared(one)).slice(0, 20);
}
