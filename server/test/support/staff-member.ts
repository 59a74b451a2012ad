import type { Database } from '../../src/platform/postgres/database.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import type { StaffRole } from '../../src/tenants/people/staff-permissions.ts';

/** A member of the staff who cannot sign in. @returns the UUID of the person */
export async function addStaff(database: Database, role: StaffRole): Promise<string> {
  const id = randomIds().next(Date.now());
  const person = `INSERT INTO people (id, email, name, language, created_at)
    VALUES ($1::uuid, $1::text || '@zimbo.example', 'Ana', 'pt', now())`;
  await database.query({ text: person }, [id]);
  const staff = `INSERT INTO staff (person_id, role, created_at) VALUES ($1, $2, now())`;
  await database.query({ text: staff }, [id, role]);
  return id;
}
