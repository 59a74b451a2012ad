/**
 * The allowed transitions from each status of an object; all others are refused. One table for each object governs the
 * code, the SQL and docs/payment-states.md.
 */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

export function allows<Status extends string>(
  transitions: Transitions<Status>,
  from: Status,
  to: Status,
): boolean {
  return transitions[from].includes(to);
}

/** @throws Error if the table lacks the transition: a bug in the gateway, never the caller's mistake */
export function requireTransition<Status extends string>(
  transitions: Transitions<Status>,
  from: Status,
  to: Status,
): void {
  if (!allows(transitions, from, to)) throw new Error(`no transition from ${from} to ${to}`);
}

/** The statuses from which an object may take each of these, as SQL: `('PENDING', 'PROCESSING')`. */
export function statusesBefore<Status extends string>(
  transitions: Transitions<Status>,
  ...taken: Status[]
): string {
  const before = statusesOf(transitions).filter((from) =>
    taken.every((to) => allows(transitions, from, to)),
  );
  return `(${before.map((status) => `'${status}'`).join(', ')})`;
}

/** The condition in SQL that the table allows a transition, whose two statuses are expressions in SQL. */
export function isAllowed<Status extends string>(
  transitions: Transitions<Status>,
  from: string,
  to: string,
): string {
  const pairs = statusesOf(transitions).flatMap((status) =>
    transitions[status].map((next) => `('${status}', '${next}')`),
  );
  return `(${from}, ${to}) IN (${pairs.join(', ')})`;
}

function statusesOf<Status extends string>(transitions: Transitions<Status>): Status[] {
  return Object.keys(transitions) as Status[];
}
