import type { Mutation } from './list.ts';

const folder = 'operator-simulator/src';
const provider = `${folder}/provider.test.ts`;
const careless = `${folder}/careless.test.ts`;
const listing = `${folder}/listing.test.ts`;

export const operatorSimulatorMutations: Mutation[] = [
  {
    name: 'operator simulator: a repetition is not known again',
    file: `${folder}/provider.ts`,
    find: 'correlationId === undefined ? undefined : store.byCorrelationId(correlationId)',
    replace: 'undefined',
    test: provider,
  },
  {
    name: 'operator simulator: more is given back than was debited',
    file: `${folder}/provider.ts`,
    find: 'amountMinor <= left && left > 0n',
    replace: 'left > 0n',
    test: provider,
  },
  {
    name: 'operator simulator: a callback that was refused counts as taken',
    file: `${folder}/timetable.ts`,
    find: '/^2\\d\\d$/.test(answer)',
    replace: '/^[25]\\d\\d$/.test(answer)',
    test: provider,
  },
  {
    name: 'operator simulator: amounts may end in a zero',
    file: `${folder}/standard.ts`,
    find: '[0-9]{0,3}[1-9]))?$/',
    replace: '[0-9]{1,4}))?$/',
    test: provider,
  },
  {
    name: 'operator simulator: a lost answer is a lost request',
    file: `${folder}/serve.ts`,
    find: "const isBefore = fault === 'lost-request'",
    replace: "const isBefore = fault === 'answer-lost' || fault === 'lost-request'",
    test: `${folder}/faults.test.ts`,
  },
  {
    name: 'operator simulator: a token never ends',
    file: `${folder}/access.ts`,
    find: ' && Number(endsMs) > nowMs',
    replace: '',
    test: `${folder}/access.test.ts`,
  },
  {
    name: 'operator simulator: what was due when it was killed is forgotten',
    file: `${folder}/start.ts`,
    find: '  timetable.wake();\n',
    replace:
      "  store.exec('UPDATE callbacks SET due_at_ms = NULL; UPDATE transactions SET due_at_ms = NULL');\n",
    test: 'server/src/cli/operator-simulator.test.ts',
  },
  {
    name: 'operator simulator: debits are kept in memory only',
    file: `${folder}/store.ts`,
    find: 'const database = new DatabaseSync(join(dataDir, fileName),',
    replace: "const database = new DatabaseSync(':memory:',",
    test: 'server/src/cli/operator-simulator.test.ts',
  },
  {
    name: 'operator simulator: one that deduplicates nothing knows a repetition',
    file: `${folder}/provider.ts`,
    find: "    if (settings.duplicates === 'again') return undefined;\n",
    replace: '',
    test: careless,
  },
  {
    name: 'operator simulator: duplicates are looked for before the state',
    file: `${folder}/provider.ts`,
    find: "settings.stateFirst && kind === 'reversal'",
    replace: "settings.stateFirst && kind === 'merchantpay'",
    test: careless,
  },
  {
    name: 'operator simulator: what is queued is known',
    file: `${folder}/presentation.ts`,
    find: 'transaction !== undefined && transaction.createdAtMs <= this.#dependencies.clock.nowMs()',
    replace: 'transaction !== undefined',
    test: careless,
  },
  {
    name: 'operator simulator: what is queued ends before its time',
    file: `${folder}/provider.ts`,
    find: 'dueAtMs: createdAtMs + delayMs',
    replace: 'dueAtMs: clock.nowMs() + delayMs',
    test: careless,
  },
  {
    name: 'operator simulator: who asks for an id that is used twice gets the earlier one',
    file: `${folder}/store.ts`,
    find: 'ORDER BY t.number DESC LIMIT 1`, number, number',
    replace: 'ORDER BY t.number LIMIT 1`, number, number',
    test: careless,
  },
  {
    name: 'operator simulator: the fee is on no callback',
    file: `${folder}/representations.ts`,
    find: "told === 'fee' ? feeMinor : 0n",
    replace: '0n * feeMinor',
    test: careless,
  },
  {
    name: 'operator simulator: the contradiction comes after the truth',
    file: `${folder}/provider.ts`,
    find: "add('opposite');",
    replace: "add('opposite', 2 * callbackIntervalMs);",
    test: careless,
  },
  {
    name: 'operator simulator: an answer that is too late comes in time',
    file: `${folder}/serve.ts`,
    find: "fault === 'just-too-late' ? clientTimeoutMs + edgeMs",
    replace: "fault === 'just-too-late' ? clientTimeoutMs - edgeMs",
    test: careless,
  },
  {
    name: 'operator simulator: what an earlier version was to tell is forgotten',
    file: `${folder}/tables.ts`,
    find: 'FROM former_callbacks;',
    replace: 'FROM former_callbacks WHERE false;',
    test: careless,
  },
  {
    name: 'operator simulator: the choice of one fault shifts all others',
    file: `${folder}/faults.ts`,
    find: 'this.#acceptances = generator(seed + 1_000_003);',
    replace: 'this.#acceptances = this.#requests;',
    test: `${folder}/faults.test.ts`,
  },
  {
    name: 'operator simulator: a list begins with the oldest',
    file: `${folder}/store.ts`,
    find: 'ORDER BY t.created_at_ms DESC, t.number DESC',
    replace: 'ORDER BY t.created_at_ms, t.number',
    test: listing,
  },
  {
    name: 'operator simulator: a list has as many as one answer holds',
    file: `${folder}/listing.ts`,
    find: 'Math.min(offset + given, available >> 1) : available)',
    replace: 'Math.min(offset + given, available >> 1) : given)',
    test: listing,
  },
];
