import { formatId } from '../../platform/values/ids.ts';
import { type Linked, pageOf, type StaffAddress } from './links.ts';
import { noticeWords, type Worded } from './notices.words.ts';

/** A notice to the staff. */
export interface StaffNotice extends Worded, Linked {
  id: string;
  version: number;
  atMs: number;
  endedAtMs: number | null;
  /** The number of further notices of its kind that are only counted. */
  more: number;
}

/** The columns of a {@link StaffNotice}, from a notice `n` and its tenant `t`. */
export const staffNoticeColumns = `n.id, n.kind, n.subject, n.detail, n.version, n.at AS "atMs",
  n.ended_at AS "endedAtMs", n.staff_more AS more, t.merchant_id AS "merchantId", t.mode`;

const instant = (ms: number) => new Date(ms).toISOString();

/** Returns a notice as programs receive it: in the company's webhook, and at `/admin/v1`. */
export function noticeView(
  notice: StaffNotice,
  { consoleUrl, staffFolder }: Omit<StaffAddress, 'cell'>,
) {
  const { kind, endedAtMs, merchantId } = notice;
  return {
    id: formatId('no', notice.id),
    version: notice.version,
    kind,
    title: noticeWords.en.title(notice),
    text: noticeWords.en.text(notice),
    detail: notice.detail,
    merchantId: merchantId === null ? null : formatId('me', merchantId),
    at: instant(notice.atMs),
    endedAt: endedAtMs === null ? null : instant(endedAtMs),
    more: notice.more,
    url: `${consoleUrl}${pageOf('STAFF', notice, staffFolder)}`,
    ...(notice.cell !== undefined && { cell: notice.cell }),
  };
}
