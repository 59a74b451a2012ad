import { Doctor } from '../../doctor/doctor.ts';
import { openForChecks } from '../../doctor/diagnose.ts';
import type { Base } from './base.ts';

export type System = ReturnType<typeof composeSystem>;

/** What looks after the gateway itself, for staff. */
export function composeSystem(base: Base) {
  const { databaseUrl } = base;
  return { doctor: new Doctor({ ...base, open: () => openForChecks(databaseUrl) }) };
}
