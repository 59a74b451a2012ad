import type { Fault } from './list.ts';

const folder = 'server/src/operator-simulator';
const provider = `${folder}/provider.test.ts`;

export const operatorSimulatorFaults: Fault[] = [
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
    replace: "  store.exec('UPDATE callbacks SET due_at_ms = NULL');\n",
    test: 'server/src/cli/operator-simulator.test.ts',
  },
  {
    name: 'operator simulator: debits are kept in memory only',
    file: `${folder}/store.ts`,
    find: 'const database = new DatabaseSync(join(dataDir, fileName),',
    replace: "const database = new DatabaseSync(':memory:',",
    test: 'server/src/cli/operator-simulator.test.ts',
  },
];
