import type { Logger } from 'pino';
import type { Reconciliations } from '../../backoffice/reconciliations/use-cases.ts';
import type { AskOperator } from '../../integrations/operators/probe.ts';
import type { Doctor } from '../../operations/doctor/doctor.ts';
import type { ExportAudit } from '../../platform/audit/export.ts';
import type { AuditVerifier } from '../../platform/audit/verifier.ts';
import type { Config } from '../../platform/config/config.ts';
import type { RunAct } from '../../platform/idempotency/run-once.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { FourEyes } from '../../platform/values/four-eyes.ts';
import type { Ids } from '../../platform/values/ids.ts';
import type { StaffCells } from '../../tenants/cells/staff-cells.ts';

/** What the routes of `/admin/v1` call. */
export interface AdminServices {
  config: Config;
  database: Database;
  /** Where people, staff and their keys are, whichever cell is asked. */
  home: Database;
  /** Undefined where there is one cell. */
  cells: StaffCells | undefined;
  /** Of a further cell: why no merchant may come to it yet, in words. */
  findUnserved?: (() => Promise<string | undefined>) | undefined;
  /** Where the staff's pages of this cell lie, below CONSOLE_URL. */
  staffFolder: string;
  runAct: RunAct;
  secrets: SecretBox;
  clock: Clock;
  ids: Ids;
  log: Logger;
  askOperator: AskOperator;
  /** A connection of its own, for statements that take minutes; whoever opens it closes it. */
  openPatient: () => Database;
  doctor: Doctor;
  auditVerifier: AuditVerifier;
  exportAudit: ExportAudit;
  reconciliations: Reconciliations;
  /** What no program may do alone: a second person has to approve it. */
  fourEyes: FourEyes;
  /** Where payout files lie. */
  payoutFolder: string;
  /** What is due in all tenants, and for how long. */
  dueWork: () => Promise<{ kind: string; count: number; oldestSeconds: number }[]>;
}
