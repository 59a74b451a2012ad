import type { Logger } from 'pino';
import type { RunAct } from '../act-keys/run-act.ts';
import type { ExportAudit } from '../audit/export.ts';
import type { AuditVerifier } from '../audit/verifier.ts';
import type { StaffCells } from '../cells/staff-cells.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Doctor } from '../doctor/doctor.ts';
import type { FourEyes } from '../four-eyes.ts';
import type { Ids } from '../ids.ts';
import type { AskOperator } from '../operators/ask.ts';
import type { Database } from '../postgres/database.ts';
import type { Reconciliations } from '../reconciliations/use-cases.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

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
