import type { LargeText, Piece } from '../../platform/formats/large-text.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { aroundItems, type SessionFrame } from './session.ts';
import { frameColumns } from './store.ts';

/** Larger items stay in the database until the reader takes them. */
const mostBytes = 64 * 1024;
const sliceBytes = 512 * 1024;

/** A session as read for display. */
export interface StoredSession extends SessionFrame {
  /** JSON text; null: it is large. */
  items: string | null;
  itemsBytes: number;
}

export const storedColumns = `${frameColumns}, octet_length(items) AS "itemsBytes",
  CASE WHEN octet_length(items) <= ${mostBytes} THEN items END AS items`;

/** The session, or undefined if the tenant has none with this id. */
export const findStoredSession = rowQuery<StoredSession, [tenantId: string, id: string]>({
  name: 'checkout_sessions.find_stored',
  text: `SELECT ${storedColumns} FROM checkout_sessions WHERE tenant_id = $1 AND id = $2`,
});

/** Its JSON text as the API shows it. */
export function storedPieces(
  { database, publicUrl }: { database: Database; publicUrl: string },
  session: StoredSession,
): Piece[] {
  const [before, after] = aroundItems(session, publicUrl);
  return [before, session.items ?? largeItems(database, session), after];
}

const sliceStatement = {
  name: 'checkout_sessions.slice_of_items',
  text: `
SELECT substr(convert_to(items, 'UTF8'), $3, ${sliceBytes}) AS slice
FROM checkout_sessions WHERE tenant_id = $1 AND id = $2`,
  binary: true as const,
};

/** Items never change, so slices that are read one after the other fit together. */
function largeItems(database: Queryable, { tenantId, id, itemsBytes }: StoredSession): LargeText {
  return {
    bytes: itemsBytes,
    async *read() {
      for (let at = 0; at < itemsBytes; at += sliceBytes) {
        const values = [tenantId, id, at + 1];
        const [found] = await database.query<{ slice: Buffer }>(sliceStatement, values);
        const expected = Math.min(sliceBytes, itemsBytes - at);
        // Closes the connection: the announced content cannot be sent.
        if (found?.slice.length !== expected)
          throw new Error('a session was changed under its reader');
        yield found.slice;
      }
    },
  };
}
