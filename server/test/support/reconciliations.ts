import type { Database } from '../../src/platform/postgres/database.ts';
import type { Member, TestConsole } from './console.ts';
import { eventually } from './eventually.ts';
import { asOfOneCell, fetchOfCell } from './staff-browser.ts';
import { hiddenValue } from './stranger.ts';

export const newPage = '/console/staff/reconciliations/new';

export interface PostedForm {
  status: number;
  text: string;
  location: string | null;
}

/** Submits the upload form like a browser: the token first, the file after the fields, the button last. */
export async function upload(
  { origin }: Pick<TestConsole, 'origin'>,
  member: Member,
  file: string | Buffer,
  { name = 'statement.csv', ...fields }: Record<string, string> = {},
): Promise<PostedForm> {
  const form = new FormData();
  form.set('csrf', hiddenValue((await member.get(newPage)).text, 'csrf'));
  const dayOf = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const period = { from: dayOf(-2), to: dayOf(1) };
  const asked = { operator: 'MOCK', mode: 'test', merchant: '', currency: '', ...period };
  for (const [field, value] of Object.entries({ ...asked, ...fields })) form.set(field, value);
  form.set('file', new File([new Uint8Array(Buffer.from(file))], name, { type: 'text/csv' }));
  form.set('action', 'upload');
  const headers = { cookie: member.cookie, origin, 'accept-language': 'en' };
  const init = { method: 'POST', body: form, headers, redirect: 'manual' } as const;
  const answer = await fetchOfCell(`${origin}${newPage}`, init);
  const location = answer.headers.get('location');
  return {
    status: answer.status,
    text: asOfOneCell(await answer.text()),
    location: location && asOfOneCell(location),
  };
}

/** The address that an upload redirects to, without the note about the result. */
export const addressIn = ({ location }: PostedForm): string => location!.split('?')[0]!;

export interface Row {
  id: string;
  status: string;
  failure: string | null;
  open: number;
  all: number;
}

/** Waits until no comparison runs. */
export function compared(database: Database): Promise<Row[]> {
  return eventually('the statements are compared', async () => {
    const text = `SELECT id, status, failure, open_count AS open, difference_count AS all FROM reconciliations ORDER BY id`;
    const rows = await database.query<Row>({ text });
    return rows.length > 0 && rows.every(({ status }) => status !== 'COMPARING') && rows;
  });
}

/** The audit actions about reconciliations, oldest first. */
export async function stepsOf(
  database: Database,
): Promise<{ action: string; actor: string; detail: Record<string, unknown> }[]> {
  const text = `SELECT action, actor, detail FROM audit_records WHERE action LIKE 'reconciliation.%' ORDER BY id`;
  return database.query({ text });
}
