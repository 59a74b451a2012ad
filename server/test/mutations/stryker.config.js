/**
 * `npm run mutations:pure`: StrykerJS changes every operator, condition and text of the pure files, one at a time, and
 * runs their fast tests. A change that no test notices is printed as survived.
 */
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';

// A run takes all the time of two cores: other work goes first.
setPriority(constants.priority.PRIORITY_LOW);
// Without it, each mutant would cost three times as much: all share one compiled copy of the code.
process.env.NODE_COMPILE_CACHE = join(process.cwd(), '.stryker', 'compiled');

const pure = [
  'integrations/operators/amount',
  'integrations/operators/query-schedule',
  'integrations/webhooks/retry',
  'money/disbursements/decide',
  'money/ledger/postings',
  'money/payments/decide',
  'money/payments/expire',
  'money/refunds/decide',
  'money/reversals/decide',
  'platform/values/fee',
  'platform/values/transitions',
  'tenants/people/permissions',
];
const tests = [
  ...pure.filter((name) => name !== 'money/payments/expire'),
  'money/payments/decide-late-debit',
  'money/payments/decide-mismatch',
].map((name) => `server/src/${name}.test.ts`);

export default {
  mutate: pure.map((name) => `server/src/${name}.ts`),
  testRunner: 'command',
  // One process for all tests: starting Node takes longer than they do.
  commandRunner: {
    command: `node --test --test-isolation=none --test-reporter=dot ${tests.join(' ')}`,
  },
  concurrency: 2,
  thresholds: { high: 95, low: 90, break: 90 },
  // TypeScript 7 lacks the API with which StrykerJS would read tsconfig.json.
  tsconfigFile: 'none',
  // Not docs/: a test compares the table of permissions with docs/console.md.
  ignorePatterns: ['.zimbo', 'bench', 'deploy', 'examples', 'operator-simulator', 'release', 'sdk'],
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: '.stryker/report.html' },
  jsonReporter: { fileName: '.stryker/report.json' },
  tempDirName: '.stryker/copy',
};
