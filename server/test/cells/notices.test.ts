import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type NewNotice, noticeIdOf } from '../../src/platform/notices/notice.ts';
import { writeNotices } from '../../src/platform/notices/write.ts';
import { adminApi } from '../support/admin.ts';
import { testCells } from '../support/cells.ts';
import { staffAt } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { mailServer } from '../support/mail-server.ts';
import { companySecret } from '../support/notices.ts';
import { testReceiver } from '../support/receiver.ts';

test('names the cell of a condition in mail, webhook, API and console', async (context) => {
  const smtp = await mailServer(context);
  const company = await testReceiver(context);
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const { databases, url } = await testCells(context, ['north'], {
    port,
    environment: {
      CONSOLE_URL: origin,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'Zimbo <zimbo@example.cv>',
      NOTICE_WEBHOOK_URL: company.url,
      NOTICE_WEBHOOK_SECRET: companySecret,
    },
    timing: { mailDelayMs: 50, copyIntervalMs: 50 },
  });
  const admin = await staffAt(origin, databases.home!, 'ADMIN');
  await eventually('the cell knows the staff', async () => {
    const rows = await databases.north!.query({ text: 'SELECT FROM staff' });
    return rows.length > 0;
  });
  const notice: NewNotice = {
    kind: 'ALERT',
    tenantId: null,
    subject: 'RequestsFail',
    detail: { alert: 'RequestsFail', of: '' },
    atMs: Date.now(),
  };
  // Two cells may detect the same condition in the same millisecond.
  for (const cell of ['home', 'north']) await writeNotices(databases[cell]!, [notice]);

  await eventually('both webhooks arrive', () => company.received.length >= 2);
  const posted = company.received.map(({ event }) => event);
  const said = posted.map(({ data }) => `${data.notice.cell}: ${data.notice.title}`);
  assert.deepEqual(said.toSorted(), [
    'home: More than 1 % of requests fail (cell home)',
    'north: More than 1 % of requests fail (cell north)',
  ]);
  for (const { data } of posted) {
    const { cell, text } = data.notice;
    assert.ok(
      text.endsWith(` This notice concerns the cell ${cell}; other cells may be fine.`),
      text,
    );
  }
  assert.equal(new Set(posted.map(({ id }) => id)).size, 2, `of ${noticeIdOf(notice)}`);

  await eventually('both are mailed', () => smtp.taken.length >= 2);
  const mails = smtp.taken.map(({ text }) => `${/\((?:cell|célula) (\w+)\)/.exec(text)?.[1]}`);
  assert.deepEqual(mails.toSorted(), ['home', 'north']);

  const api = await adminApi({ database: databases.home!, url });
  const { body } = await api('GET', '/admin/v1/notices');
  const listed = body.data.map(({ cell, title }: Record<string, string>) => `${cell}: ${title}`);
  assert.deepEqual(listed.toSorted(), said.toSorted());
  const page = (await admin.get('/console/staff/notices')).text;
  for (const cell of ['home', 'north'])
    assert.match(page, new RegExp(`\\((cell|célula) ${cell}\\)`));
});
