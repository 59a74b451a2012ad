import { listQuery } from '../../../platform/http/lists.ts';
import { nullable, textOf } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/http/type.ts';
import { languages } from '../../../platform/text/language.ts';
import { idPattern } from '../../../platform/values/ids.ts';
import { currencies } from '../../../platform/values/money.ts';
import { allPermissions } from '../../../tenants/merchants/api-key.ts';
import { payoutSchedules } from '../../../tenants/merchants/payout-schedule.ts';
import { merchantTimeZones } from '../../../tenants/merchants/time-zone.ts';
import { cell } from '../query-all-cells.ts';
import { instant, merchantId, mode } from '../schemas.ts';

export const merchantSchema = Type.Object(
  { id: merchantId, name: Type.String({ examples: ['Loja da Praia'] }), createdAt: instant, cell },
  { title: 'Merchant' },
);

export const listMerchantsQuery = listQuery('me', {});

export const createMerchantBody = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 255 }) },
  { title: 'CreateMerchantBody', additionalProperties: false },
);

export const scheduleSchema = Type.Object(
  {
    schedule: Type.Enum(payoutSchedules, {
      title: 'PayoutScheduleName',
      description: 'At SETTLEMENT_HOUR of these days; MANUAL: only on request',
    }),
  },
  { title: 'PayoutSchedule', additionalProperties: false },
);

export const brandSchema = Type.Object(
  {
    name: nullable(Type.String({ description: "Null: the merchant's name" })),
    colour: nullable(Type.String({ examples: ['#0b5d44'] })),
    logoBytes: nullable(Type.Integer({ description: 'The size of the logo' })),
    contactPhone: nullable(Type.String({ examples: ['+2389912345'] })),
    contactEmail: nullable(Type.String({ examples: ['loja@example.cv'] })),
    website: nullable(Type.String({ examples: ['https://loja.example.cv/'] })),
    taxNumber: nullable(Type.String({ examples: ['254123456'] })),
    receiptText: nullable(Type.String({ examples: ['Trocas até 30 dias.'] })),
    pageLanguages: nullable(
      Type.Array(Type.Enum([...languages]), { description: 'The preferred one first. Null: all' }),
    ),
    defaultCurrency: nullable(
      Type.Enum([...currencies], {
        description: 'Null: that of the first bank account or payment',
      }),
    ),
    timeZone: nullable(
      Type.Enum([...merchantTimeZones], { description: 'The choice. Null: by the first currency' }),
    ),
    timeZoneHistory: Type.Array(
      Type.Object({
        from: nullable(Type.String({ format: 'date-time', description: 'Null: since ever' })),
        timeZone: Type.String(),
      }),
      { description: 'Which time zone holds since when. Empty until one was set' },
    ),
  },
  { title: 'Brand' },
);

/** 12 KiB as base64. */
const longestLogo = 16 * 1024;

export const changeBrandBody = Type.Object(
  {
    name: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
    colour: Type.Optional(nullable(Type.String({ maxLength: 7 }))),
    contactPhone: Type.Optional(
      nullable(Type.String({ maxLength: 64, description: 'International; customers see it.' })),
    ),
    contactEmail: Type.Optional(
      nullable(Type.String({ maxLength: 254, description: 'Customers see it.' })),
    ),
    website: Type.Optional(
      nullable(Type.String({ maxLength: 255, description: 'http or https; customers see it.' })),
    ),
    taxNumber: Type.Optional(
      nullable(Type.String({ maxLength: 40, description: 'NIF; receipts show it.' })),
    ),
    receiptText: Type.Optional(
      nullable(
        Type.String({
          maxLength: 255,
          description: 'At most 200 characters on 5 lines, on receipts.',
        }),
      ),
    ),
    pageLanguages: Type.Optional(
      nullable(
        Type.Array(Type.Enum([...languages]), {
          maxItems: 2,
          description: "Of customers' pages; the first is for browsers that want none of them.",
        }),
      ),
    ),
    defaultCurrency: Type.Optional(
      nullable(Type.Enum([...currencies], { description: 'The console names it first.' })),
    ),
    timeZone: Type.Optional(
      nullable(
        Type.Enum([...merchantTimeZones], {
          description: 'Of console, exports and receipts. A change holds from the next month.',
        }),
      ),
    ),
    logo: Type.Optional(
      nullable(
        textOf('^[A-Za-z0-9+/]*={0,2}$', 'must be encoded in base64', {
          maxLength: 2 * longestLogo,
          description: 'An SVG or PNG of at most 12 KiB, in base64.',
        }),
      ),
    ),
  },
  {
    title: 'ChangeBrandBody',
    additionalProperties: false,
    description: 'Omitted fields stay unchanged; null removes a value.',
  },
);

const permission = Type.Enum([...allPermissions], { title: 'KeyPermission' });
const minor = (description: string) =>
  nullable(Type.String({ description: `${description}, in centavos` }));

export const apiKeySchema = Type.Object(
  {
    id: Type.String({ examples: ['ak_01kaj6e0s5f9vrbjyf1y3ykz0c'] }),
    merchantId,
    mode,
    last4: Type.String({ description: 'The last characters of the key' }),
    label: nullable(Type.String()),
    permissions: Type.Array(Type.String()),
    allowedAddresses: Type.Array(Type.String()),
    maxPayment: minor('The largest payment or checkout session'),
    maxRefundedPerDay: minor('The limit for its refunds in a day (UTC)'),
    maxDisbursement: minor('The largest disbursement, without its fee'),
    maxDisbursedPerDay: minor('The limit for its disbursements in a day (UTC)'),
    createdAt: instant,
    expiresAt: nullable(instant),
    revokedAt: nullable(instant),
    lastUsedAt: nullable(instant),
    rolledTo: nullable(Type.String({ description: 'The key that replaced it' })),
    cell,
  },
  { title: 'ApiKey' },
);

export const listKeysQuery = listQuery('ak', {
  merchant_id: Type.Optional(
    textOf(idPattern('me'), 'must be an id that begins with me_', {
      description: 'Only keys of this merchant.',
    }),
  ),
});

const minorText = (description: string) =>
  Type.Optional(
    nullable(
      textOf('^\\d{1,18}$', 'must be a whole number of centavos', {
        description: `${description}, in centavos.`,
      }),
    ),
  );
const expiresAt = Type.Optional(
  nullable({ ...instant, description: 'When the key expires, in UTC.' }),
);

export const createKeyBody = Type.Object(
  {
    merchantId: textOf(idPattern('me'), 'must be an id that begins with me_'),
    mode,
    label: Type.Optional(
      nullable(Type.String({ maxLength: 100, description: 'Its purpose, such as "till 3".' })),
    ),
    permissions: Type.Optional(
      Type.Array(permission, {
        minItems: 1,
        maxItems: 50,
        description: 'All, if omitted; a live key has disbursements only if they are named.',
      }),
    ),
    allowedAddresses: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 100,
        description: 'IP addresses and networks that may use it. All, if left out.',
      }),
    ),
    expiresAt,
    maxPayment: minorText('The limit for one payment or checkout session'),
    maxRefundedPerDay: minorText('The limit for all refunds of a day'),
    maxDisbursement: minorText('The limit for one disbursement, without its fee'),
    maxDisbursedPerDay: minorText('The limit for all disbursements of a day'),
  },
  { title: 'CreateKeyBody', additionalProperties: false },
);

export const rollKeyBody = Type.Object(
  {
    overlapHours: Type.Integer({
      minimum: 0,
      maximum: 720,
      default: 24,
      description: 'How many hours the old key still works.',
    }),
    expiresAt,
  },
  { title: 'RollKeyBody', additionalProperties: false },
);

const shownOnce = Type.String({ description: 'The key itself, in this answer only.' });

export const issuedKeySchema = Type.Object(
  { id: Type.String(), key: shownOnce },
  { title: 'IssuedKey' },
);

export const rolledKeySchema = Type.Object(
  { id: Type.String(), key: shownOnce, expiresAt: nullable(instant), old: apiKeySchema },
  { title: 'RolledKey' },
);
