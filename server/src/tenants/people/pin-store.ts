import type { Queryable } from '../../platform/postgres/database.ts';
import { holdsSql, type Permission, rolesWith } from './permissions.ts';

/** After so many wrong PINs in a row, the person must sign in fully. */
export const mostPinTries = 5;

/** A person who can change to themselves on a shared phone. */
export interface TillPerson {
  id: string;
  name: string;
  /** Whether only a full sign-in lets them use the PIN again. */
  isLocked: boolean;
}

const charge: readonly Permission[] = ['payments.charge'];

/** The members of a merchant who have a PIN and may charge, by name. */
export function findTillPeople(database: Queryable, merchantId: string): Promise<TillPerson[]> {
  const text = `
SELECT p.id, p.name, p.pin_tries >= ${mostPinTries} AS "isLocked"
FROM memberships m JOIN people p ON p.id = m.person_id AND p.disabled_at IS NULL
WHERE m.merchant_id = $1 AND p.pin_hash IS NOT NULL AND ${holdsSql('$2::text[]', '$3::text[]')}
ORDER BY lower(p.name), p.id`;
  return database.query<TillPerson>({ text }, [merchantId, rolesWith(charge), charge]);
}

/** Counts a try before it is checked, so that concurrent ones get no more than five; undefined after those. */
export async function takePinTry(
  database: Queryable,
  personId: string,
): Promise<{ pinHash: string; tries: number } | undefined> {
  const text = `
UPDATE people SET pin_tries = pin_tries + 1
WHERE id = $1 AND pin_hash IS NOT NULL AND pin_tries < ${mostPinTries} AND disabled_at IS NULL
RETURNING pin_hash AS "pinHash", pin_tries AS tries`;
  return (await database.query<{ pinHash: string; tries: number }>({ text }, [personId]))[0];
}

/** Locks the person; false if the PIN has been changed or removed since it was compared. */
export async function isPinStill(
  transaction: Queryable,
  personId: string,
  pinHash: string,
): Promise<boolean> {
  const text = 'SELECT id FROM people WHERE id = $1 AND pin_hash = $2 FOR UPDATE';
  return (await transaction.query({ text }, [personId, pinHash])).length > 0;
}

/** Forgets the wrong PINs of a person who has just signed in. */
export async function resetPinTries(transaction: Queryable, personId: string): Promise<void> {
  const text = 'UPDATE people SET pin_tries = 0 WHERE id = $1 AND pin_tries > 0';
  await transaction.query({ text }, [personId]);
}

/** Sets or removes a person's PIN. False if nothing changed. */
export async function setPinHash(
  transaction: Queryable,
  personId: string,
  pinHash: string | null,
): Promise<boolean> {
  const text = `
UPDATE people SET pin_hash = $2, pin_tries = 0
WHERE id = $1 AND (pin_hash IS NOT NULL OR $2::text IS NOT NULL) RETURNING id`;
  return (await transaction.query({ text }, [personId, pinHash])).length > 0;
}
