import type { IncomingMessage } from 'node:http';
import type { CallbackTokens } from '../../integrations/operators/callback-token.ts';
import { keyIn, merchantKeys } from '../../platform/http/auth.ts';
import { parseId } from '../../platform/values/ids.ts';
import type { AttemptProofs } from '../../storefront/checkout/attempt-proofs.ts';
import { parseToken } from '../../storefront/checkout/link.ts';
import { tenantOfPicture } from '../../storefront/checkout/page/link-preview.ts';
import { parseCode } from '../../storefront/payment-links/short-links.ts';
import type { CellLookup, ObjectKind } from '../../tenants/cells/cell-directory-store.ts';
import { hashApiKey } from '../../tenants/merchants/api-key.ts';

/** The target of a request: a cell by name, or the cell of an object; undefined: the home. */
export type RequestTarget = { cell: string } | { lookup: CellLookup } | undefined;

const link = /^\/(?:pay\/(?:live\/|picture\/|link\/)?|receipt\/)([\w-]{64})(?=[/?]|$)/;
/** The short address of a payment link. */
const shortLink = /^\/l\/(\w{26})(?=[/?]|$)/;
/** The picture of a link's shop, for previews in chats. */
const picture = /^\/pay\/picture\/([^?]*)/;
const callback = /^\/operators\/([^/]+)\/callbacks\/([^/?]+)/;
const ofMerchant = /^\/console\/(?:staff\/(?:merchants|ledger)\/)?(me_\w+)(?=[/?]|$)/;
const staffOfCell = /^\/console\/staff\/cells\/(\w+)(?=[/?]|$)/;
const adminOfMerchant = /^\/admin\/v1\/(?:[^?]*\/)?merchants\/(me_\w+)(?=[/?]|$)/;

/** A list of one merchant. Its audit records are in the home too, so those come from all cells. */
const listOfMerchant = /^\/admin\/v1\/(?!audit-records)[^?]*\?(?:.*&)?merchant_id=(me_\w+)(?=&|$)/;

/** Objects that staff name by id alone. */
const thing =
  /^\/(?:console\/staff|admin\/v1)\/(?:payments|reviews|settlements|approvals|keys|disbursements|disbursement-batches)\/(?:(pi|re|ri|se|ap|ak|di|dib)_\w+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?=[/?]|$)/;

/** Hashes of recently used keys, in a cache of their own, because hashing costs more than the look-up. */
const hashes = new Map<string, Buffer>();
const mostHashes = 10_000;

function hashOf(key: string): Buffer {
  const known = hashes.get(key);
  if (known) return known;
  const hash = hashApiKey(key);
  if (hashes.size >= mostHashes) hashes.delete(hashes.keys().next().value!);
  hashes.set(key, hash);
  return hash;
}

/** Proof that we issued an address that names a tenant. */
export interface AddressProofs {
  tokens: CallbackTokens;
  attemptProofs: AttemptProofs;
}

/** The request's address as the routes read it, which also accept an absolute URL, or %76 for v. */
export function addressIn({ url = '' }: IncomingMessage): string {
  const address = url.replace(/^https?:\/\/[^/]*(?=\/)/, '');
  const [path] = address.split('?', 1);
  if (!path!.includes('%')) return address;
  try {
    return decodeURI(path!) + address.slice(path!.length);
  } catch {
    // No route has this path.
    return address;
  }
}

/** Reads the target from a request. The request may claim anything: the cell verifies it. */
export function targetOf(
  request: IncomingMessage,
  { tokens, attemptProofs }: AddressProofs,
): RequestTarget {
  const { headers } = request;
  const url = addressIn(request);
  if (url.startsWith('/v1/')) {
    const key = keyIn(headers, merchantKeys);
    return key === undefined ? undefined : { lookup: { kind: 'KEY', hash: hashOf(key) } };
  }
  const linked = parseToken(link.exec(url)?.[1] ?? '');
  if (linked) return { lookup: { kind: 'TENANT', id: linked.tenantId } };
  const code = parseCode(shortLink.exec(url)?.[1] ?? '');
  if (code !== undefined) return { lookup: { kind: 'SHORT_LINK', id: code } };
  const shop = tenantOfPicture(picture.exec(url)?.[1] ?? '', attemptProofs);
  if (shop !== undefined) return { lookup: { kind: 'TENANT', id: shop } };
  const [, operator, token] = callback.exec(url) ?? [];
  if (operator !== undefined && token !== undefined) {
    const address = tokens.read(operator, token);
    return address && { lookup: { kind: 'TENANT', id: address.tenantId } };
  }
  const cell = staffOfCell.exec(url)?.[1] ?? cellIn(url, headers);
  if (cell !== undefined) return { cell };
  const [, merchant] =
    ofMerchant.exec(url) ?? adminOfMerchant.exec(url) ?? listOfMerchant.exec(url) ?? [];
  const merchantId = parseId('me', merchant ?? '');
  if (merchantId !== undefined) return { lookup: { kind: 'MERCHANT', id: merchantId } };
  return thingIn(url);
}

function thingIn(url: string): RequestTarget {
  const [path, prefix] = thing.exec(url) ?? [];
  if (path === undefined) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  // Reversals are named by their UUID.
  const of = (prefix as ObjectKind | undefined) ?? 'reversal';
  const id = of === 'reversal' ? name : parseId(of, name);
  return id === undefined ? undefined : { lookup: { kind: 'OBJECT', of, id } };
}

/** Staff programs name a cell in a header. */
function cellIn(url: string, headers: IncomingMessage['headers']): string | undefined {
  const name = headers['zimbo-cell'];
  return url.startsWith('/admin/v1') && typeof name === 'string' ? name : undefined;
}
