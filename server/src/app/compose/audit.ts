import { AuditSealer } from '../../platform/audit/worker.ts';
import type { Base } from './base.ts';

/** Audit records are sealed. */
export function composeAudit(base: Base) {
  return new AuditSealer({ ...base, ...base.timing });
}
