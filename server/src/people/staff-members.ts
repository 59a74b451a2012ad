import { type Administration, writeAuditRecord } from '../audit/record.ts';
import { invalidState, notFound } from '../errors.ts';
import { formatId } from '../ids.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import type { StaffRole } from './staff-permissions.ts';

/** Somebody of the company that runs the gateway. */
export interface StaffMember {
  personId: string;
  name: string;
  email: string;
  role: StaffRole;
  joinedAtMs: number;
  disabledAtMs: number | null;
}

/** All of them, in the order in which they came. */
export function listStaff(database: Queryable): Promise<StaffMember[]> {
  const text = `
SELECT p.id AS "personId", p.name, p.email, s.role, s.created_at AS "joinedAtMs", p.disabled_at AS "disabledAtMs"
FROM staff s JOIN people p ON p.id = s.person_id ORDER BY s.created_at, p.id`;
  return database.query<StaffMember>({ text });
}

/**
 * Takes somebody off the staff: they are out with their next click. What they are elsewhere stays.
 * @throws NOT_FOUND nobody of the staff
 * @throws INVALID_STATE the last administrator stays
 */
export function removeStaff(
  dependencies: Administration & { database: Database },
  personId: string,
): Promise<void> {
  return dependencies.database.transaction(async (transaction) => {
    // Locked in one order and read as they are then, so that two administrators cannot remove each other.
    const lock = `SELECT s.person_id AS "personId", s.role, p.disabled_at AS "disabledAtMs"
      FROM staff s JOIN people p ON p.id = s.person_id ORDER BY s.person_id FOR UPDATE OF s`;
    type Row = Pick<StaffMember, 'personId' | 'role' | 'disabledAtMs'>;
    const staff = await transaction.query<Row>({ text: lock });
    const member = staff.find((each) => each.personId === personId);
    if (!member) throw notFound('member of the staff');
    const isAdmin = (each: Row) => each.role === 'ADMIN' && each.disabledAtMs === null;
    if (member.role === 'ADMIN' && !staff.some((each) => each !== member && isAdmin(each))) {
      throw invalidState('The gateway keeps its last administrator: make somebody else one first.');
    }
    await transaction.query({ text: 'DELETE FROM staff WHERE person_id = $1' }, [personId]);
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'person.removed',
      subject: formatId('pe', personId),
      before: { role: member.role },
      detail: { team: 'STAFF' },
    });
  });
}
