import { makeExportAudit } from '../../audit/export.ts';
import { AuditVerifier } from '../../audit/verifier.ts';
import { openForChecks } from '../../doctor/diagnose.ts';
import { Doctor } from '../../doctor/doctor.ts';
import { openDatabase } from '../../postgres/database.ts';
import type { Base } from './base.ts';

export type System = ReturnType<typeof composeSystem>;

/** Of what reads all there is. */
const statementTimeoutMs = 600_000;

/** What looks after the gateway itself, for staff. */
export function composeSystem(base: Base) {
  const { databaseUrl: url, log } = base;
  /** A connection of its own, for statements that take minutes; whoever opens it closes it. */
  const openPatient = () => openDatabase({ url, log, maxConnections: 1, statementTimeoutMs });
  return {
    openPatient,
    doctor: new Doctor({ ...base, open: () => openForChecks(url) }),
    auditVerifier: new AuditVerifier({ ...base, open: openPatient }),
    exportAudit: makeExportAudit(base),
  };
}
