/** How long things are measured. */
export interface Plan {
  runs: number;
  connections: number[];
  /** The load at which figures are compared that do not come from the sweep. */
  usualConnections: number;
  sweepSeconds: number;
  phaseSeconds: number;
  openLoopSeconds: number;
  floorSeconds: number;
  idleSeconds: number;
  fanOuts: number[];
}

export const fullPlan: Plan = {
  runs: 3,
  connections: [1, 4, 16, 64, 256],
  usualConnections: 64,
  sweepSeconds: 6,
  phaseSeconds: 6,
  openLoopSeconds: 10,
  floorSeconds: 6,
  idleSeconds: 10,
  fanOuts: [1, 10, 100],
};

/** Within two minutes: rough figures, for a look while working. */
export const quickPlan: Plan = {
  ...fullPlan,
  runs: 1,
  sweepSeconds: 2,
  phaseSeconds: 1.5,
  openLoopSeconds: 4,
  floorSeconds: 3,
  idleSeconds: 10,
};
