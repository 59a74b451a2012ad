import { openForChecks } from '../../operations/doctor/diagnose.ts';
import { Doctor } from '../../operations/doctor/doctor.ts';
import { makeExportAudit } from '../../platform/audit/export.ts';
import { AuditVerifier } from '../../platform/audit/verifier.ts';
import type { Base } from './base.ts';
import { openPatientOf } from './long-query-connection.ts';

export type System = ReturnType<typeof composeSystem>;

/** Composes the staff's tools for the gateway itself. */
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
