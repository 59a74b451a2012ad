import type { ListedRecord } from '../../../platform/audit/store.ts';
import { isGivenInstant } from '../../../platform/formats/instant.ts';
import { labels } from '../../../platform/text/labels.ts';
import type { RequestContext } from '../request-context.ts';
import { roleWords } from '../words/roles.ts';
import { staffRoleWords } from '../words/staff-roles.ts';
import { fieldWords } from './audit-changes.words.ts';
import { instantText, minorText } from './format.ts';

type Reader = Pick<RequestContext, 'language' | 'timeZone' | 'words'>;
type Values = Readonly<Record<string, unknown>>;

/** Fields in minor units, besides those whose names end in `Minor`. */
const amounts = new Set([
  'amount',
  'price',
  'minAmount',
  'maxAmount',
  'maxPayment',
  'maxRefundedPerDay',
  'maxDisbursement',
  'maxDisbursedPerDay',
  'maxDisbursedPerWalletAndDay',
]);
/** An id, or a code that is shown elsewhere. */
const unshown = new Set(['id', 'merchant', 'team', 'approval', 'kind', 'about']);

/** In place of a text that may name somebody: it tells programs alone whether two texts were the same. */
const digests = /(?:… )?\([0-9a-f]{16}\)/g;

/** `Role: Viewer → Owner`, in the reader's words; omits unset and unchanged values. */
export function changesText(reader: Reader, record: ListedRecord): string {
  const { before, after, detail } = record;
  const currency = [after, before, detail].map((each) => each?.currency).find(isText);
  const said = (values: Values | null, name: string) =>
    valueText(reader, name, values?.[name], currency);
  const changes = Object.keys({ ...before, ...after }).flatMap((name) => {
    const [was, is] = [said(before, name), said(after, name)];
    if (was === is || unshown.has(name)) return [];
    return `${fieldText(reader, name)}: ${was === '' || is === '' ? was || is : `${was} → ${is}`}`;
  });
  const all = [...changes, objectText(reader, { ...detail }, currency)].filter(Boolean).join('; ');
  return all.replaceAll(digests, '…');
}

const isText = (value: unknown): value is string => typeof value === 'string';

const plainName = (name: string) => name.replace(/Minor$/, '');

const fieldText = ({ language }: Reader, name: string): string =>
  fieldWords[language][plainName(name)] ?? name;

/** The fields that have words; a currency is said with its amounts. */
function objectText(reader: Reader, values: Values, currency: string | undefined): string {
  const own = isText(values.currency) ? values.currency : currency;
  return Object.entries(values)
    .flatMap(([name, value]) => {
      const text = valueText(reader, name, value, own);
      const isSaid = Object.hasOwn(fieldWords[reader.language], plainName(name));
      const isShown = text !== '' && !unshown.has(name);
      if (!isShown || (name === 'currency' && saysAmount(values))) return [];
      return isSaid || typeof value === 'object' ? [`${fieldText(reader, name)}: ${text}`] : [];
    })
    .join('; ');
}

const isAmount = (name: string) => amounts.has(name) || name.endsWith('Minor');
const saysAmount = (values: Values) => Object.keys(values).some(isAmount);

function valueText(
  reader: Reader,
  name: string,
  value: unknown,
  currency: string | undefined,
): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    return value.map((each) => valueText(reader, name, each, currency)).join(', ');
  }
  if (typeof value === 'object') return objectText(reader, value as Values, currency);
  const { language } = reader;
  if (typeof value === 'boolean') return value ? labels[language].yes : labels[language].no;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (isAmount(name) && /^-?\d+$/.test(text)) return minorText(reader, BigInt(text), currency);
  if (name === 'basisPoints') return `${minorText(reader, BigInt(text))} %`;
  if (isGivenInstant(text)) return instantText(reader, Date.parse(text));
  return wordOf(reader, name, text);
}

/** The word for a code. */
function wordOf({ language, words }: Reader, name: string, text: string): string {
  if (name === 'status') return words.statuses[text] ?? text;
  if (name === 'operator') return (words.operators as Values)[text]?.toString() ?? text;
  if (name !== 'role') return text;
  const known: Readonly<Record<string, { name: string }>> = {
    ...staffRoleWords[language],
    ...roleWords[language],
  };
  return known[text]?.name ?? text;
}
