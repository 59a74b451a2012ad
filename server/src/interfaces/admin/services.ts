import type { Logger } from 'pino';
import type { Reconciliations } from '../../backoffice/reconciliations/use-cases.ts';
import type { AskOperator } from '../../integrations/operators/probe.ts';
import type { CancelBatch } from '../../money/disbursements/batches/cancel.ts';
import type { CancelDisbursement } from '../../money/disbursements/cancel.ts';
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

/** The use cases that the routes of `/admin/v1` call. */
export interface AdminServices {
  config: Config;
  database: Database;
  /** The database of people, staff and their keys, the same for all cells. */
  home: Database;
  /** Undefined with a single cell. */
  cells: StaffCells | undefined;
  /** For a further cell: why it accepts no merchants yet, in words. */
  findUnserved?: (() => Promise<string | undefined>) | undefined;
  /** The path of this cell's staff pages, below CONSOLE_URL. */
  staffFolder: string;
  runAct: RunAct;
  secrets: SecretBox;
  clock: Clock;
  ids: Ids;
  log: Logger;
  askOperator: AskOperator;
  /** Opens a separate connection, for statements that take minutes; the caller closes it. */
  openPatient: () => Database;
  doctor: Doctor;
  auditVerifier: AuditVerifier;
  exportAudit: ExportAudit;
  reconciliations: Reconciliations;
  cancelDisbursement: CancelDisbursement;
  cancelBatch: CancelBatch;
  /** Actions that a program may not do, because a second person has to approve them. */
  fourEyes: FourEyes;
  /** The folder of payout files. */
  payoutFolder: string;
  /** Due rows of all tenants, and their age. */
  dueWork: () => Promise<{ kind: string; count: number; oldestSeconds: number }[]>;
}
