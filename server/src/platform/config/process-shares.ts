import type { OperatorConfigs } from './operator-settings.ts';

/** Limits that the processes of a machine divide among themselves. */
interface Shared {
  ZIMBO_PROCESSES: number;
  DATABASE_CONNECTIONS: number;
}

/** Each process needs at least one connection, and one call to each operator. */
export function sharingProblems(values: Shared, operators: OperatorConfigs): string[] {
  const { ZIMBO_PROCESSES: processes, DATABASE_CONNECTIONS: connections } = values;
  const calls = Object.entries(operators).map(
    ([name, { maxCalls }]) => [`OPERATOR_${name}_MAX_CALLS`, maxCalls] as const,
  );
  return [['DATABASE_CONNECTIONS', connections] as const, ...calls]
    .filter(([, whole]) => whole < processes)
    .map(
      ([name, whole]) =>
        `${name} is ${whole}, which ZIMBO_PROCESSES (${processes}) processes cannot share: raise it, or run fewer processes.`,
    );
}
