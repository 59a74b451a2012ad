import { makeExportAudit } from '../../audit/export.ts';
import { AuditVerifier } from '../../audit/verifier.ts';
import { openForChecks } from '../../doctor/diagnose.ts';
import { Doctor } from '../../doctor/doctor.ts';
import type { Base } from './base.ts';
import { openPatientOf } from './patient.ts';

export type System = ReturnType<typeof composeSystem>;

/** What looks after the gateway itself, for staff. */
export function composeSystem(base: Base) {
  const openPatient = openPatientOf(base);
  return {
    openPatient,
    doctor: new Doctor({
      ...base,
      allCells: base.cells?.all,
      open: () => openForChecks(base.databaseUrl),
    }),
    auditVerifier: new AuditVerifier({ ...base, open: openPatient }),
    exportAudit: makeExportAudit(base),
  };
}
