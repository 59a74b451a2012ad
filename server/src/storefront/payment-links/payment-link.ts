import type { Mask } from '../../platform/audit/mask.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Currency } from '../../platform/values/money.ts';
import type { Addresses } from './link-urls.ts';

/**
 * A reusable payment link: each use makes a checkout session. It asks for a product at its present price, a fixed
 * amount, or an amount that the customer chooses within bounds. Amounts are in minor units.
 */
export interface PaymentLink {
  tenantId: string;
  id: string;
  /** The description of the purchase. */
  description: string;
  productId: string | null;
  amountMinor: bigint | null;
  minAmountMinor: bigint | null;
  maxAmountMinor: bigint | null;
  currency: Currency;
  returnUrl: string | null;
  completionUrl: string | null;
  /** JSON text. */
  metadata: string | null;
  active: boolean;
  /** How many sessions it has made. */
  uses: number;
  maxUses: number | null;
  expiresAtMs: number | null;
  createdByKey: string | null;
  createdAtMs: number;
  updatedAtMs: number;
}

const text = (amountMinor: bigint | null) => amountMinor?.toString() ?? null;
const instant = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());

/** The link as the API shows it. */
export function paymentLinkView(link: PaymentLink, { url, shortUrl }: Addresses) {
  return {
    id: formatId('pl', link.id),
    url,
    shortUrl,
    description: link.description,
    productId: link.productId && formatId('pr', link.productId),
    amount: text(link.amountMinor),
    minAmount: text(link.minAmountMinor),
    maxAmount: text(link.maxAmountMinor),
    currency: link.currency,
    returnUrl: link.returnUrl,
    completionUrl: link.completionUrl,
    metadata:
      link.metadata === null ? null : (JSON.parse(link.metadata) as Record<string, unknown>),
    active: link.active,
    uses: link.uses,
    maxUses: link.maxUses,
    expiresAt: instant(link.expiresAtMs),
    createdAt: instant(link.createdAtMs)!,
    updatedAt: instant(link.updatedAtMs)!,
  };
}

/** The fields of a link in an audit record. */
export function recordedLink(link: PaymentLink, mask: Mask) {
  const { amountMinor, minAmountMinor, maxAmountMinor, currency, active, maxUses } = link;
  return {
    description: mask.text(link.description),
    amount: text(amountMinor),
    minAmount: text(minAmountMinor),
    maxAmount: text(maxAmountMinor),
    currency,
    active,
    maxUses,
    expiresAt: instant(link.expiresAtMs),
  };
}

/** Whether it can be used now. */
export const isUsable = (
  { active, uses, maxUses, expiresAtMs }: PaymentLink,
  nowMs: number,
): boolean =>
  active && (maxUses === null || uses < maxUses) && (expiresAtMs === null || expiresAtMs > nowMs);
