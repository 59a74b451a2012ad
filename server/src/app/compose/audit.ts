import { AuditSealer } from '../../platform/audit/worker.ts';
import type { Base } from './base.ts';

/** Composes the sealing of audit records. */
export function composeAudit(base: Base) {
  return new AuditSealer({ ...base, ...base.timing });
}
