/** All scenarios that can be measured alone. */
export const scenarioNames = [
  'starts',
  'commands',
  'creates',
  'gets',
  'lists',
  'refunds',
  'checkouts',
  'lives',
  'deliveries',
  'costs',
] as const;

export type ScenarioName = (typeof scenarioNames)[number];

/** The scenarios, the number of runs, and their length. */
export interface Plan {
  scenarios: readonly ScenarioName[];
  runs: number;
  /** Needed for ratios to PostgreSQL. */
  hasPgbench: boolean;
  connections: number[];
  /** The load at which figures outside the sweep are compared. */
  usualConnections: number;
  phaseSeconds: number;
  openLoopSeconds: number;
  floorSeconds: number;
  idleSeconds: number;
  fanOuts: number[];
  /** For a merchant whose payments are read and refunded: a multiple of 5,000. */
  historyPayments: number;
  /** Redelivered to one endpoint, and to ten together. */
  redelivered: number;
  commands: number;
}

export const fullPlan: Plan = {
  scenarios: scenarioNames,
  runs: 3,
  hasPgbench: true,
  connections: [1, 16, 64, 256],
  usualConnections: 64,
  phaseSeconds: 5,
  openLoopSeconds: 8,
  floorSeconds: 5,
  idleSeconds: 30,
  fanOuts: [1, 10, 100],
  historyPayments: 20_000,
  redelivered: 100_000,
  commands: 11,
};

/** Rough figures within three minutes, during development. */
export const quickPlan: Plan = {
  ...fullPlan,
  runs: 1,
  phaseSeconds: 1.5,
  openLoopSeconds: 3,
  floorSeconds: 2,
  idleSeconds: 10,
  historyPayments: 10_000,
  redelivered: 20_000,
  commands: 5,
};
