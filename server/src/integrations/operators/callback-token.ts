import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import {
  type LiveOperatorName,
  liveOperatorNames,
} from '../../platform/config/operator-catalogue.ts';
import { bytesOfUuid, uuidOfBytes } from '../../platform/values/ids.ts';

/**
 * The kinds of callbacks: about a debit, about a return, or about money paid out. A token holds the number of its kind,
 * so a new kind goes to the end.
 */
export const callbackKinds = ['DEBIT', 'REFUND', 'REVERSAL', 'DISBURSEMENT'] as const;
export type CallbackKind = (typeof callbackKinds)[number];

/** The content of a callback's address; only we can make one. */
export interface CallbackAddress {
  operator: LiveOperatorName;
  kind: CallbackKind;
  tenantId: string;
  reference: string;
}

export interface CallbackTokens {
  /** Names the kind, tenant and reference, and proves them and the operator. */
  make(address: CallbackAddress): string;
  /** Undefined unless we made the token for this operator; takes the same time for any error. */
  read(operator: string, token: string): CallbackAddress | undefined;
}

const idBytes = 16;
const macBytes = 16;
const namedBytes = 1 + 2 * idBytes;
const tokenShape = /^[\w-]{66}$/;

const keyOf = (secretKey: Buffer) =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'zimbo operator callbacks', 32));

/**
 * @param secretKey the gateway's; the key of the tokens is derived from it
 * @param previousSecretKey while the key is being replaced: tokens made under it are read too
 */
export function createCallbackTokens(
  secretKey: Buffer,
  previousSecretKey: Buffer = secretKey,
): CallbackTokens {
  const key = keyOf(secretKey);
  const keys = [key, keyOf(previousSecretKey)];
  const macOf = (under: Buffer, operator: string, named: Buffer) =>
    createHmac('sha256', under)
      .update(`${operator}\n`)
      .update(named)
      .digest()
      .subarray(0, macBytes);
  return {
    make({ operator, kind, tenantId, reference }) {
      const named = Buffer.concat([
        Buffer.of(callbackKinds.indexOf(kind)),
        bytesOfUuid(tenantId),
        bytesOfUuid(reference),
      ]);
      return Buffer.concat([named, macOf(key, operator, named)]).toString('base64url');
    },
    read(operatorName, token) {
      const isShaped = tokenShape.test(token);
      const bytes = Buffer.alloc(namedBytes + macBytes);
      if (isShaped) bytes.write(token, 'base64url');
      const named = bytes.subarray(0, namedBytes);
      const mac = bytes.subarray(namedBytes);
      const isUnder = keys.map((each) => timingSafeEqual(macOf(each, operatorName, named), mac));
      const isOurs = isUnder.includes(true);
      const operator = liveOperatorNames.find((name) => name === operatorName);
      const kind = callbackKinds[named[0]!];
      if (!isShaped || !isOurs || !operator || !kind) return undefined;
      const tenantId = uuidOfBytes(named.subarray(1, 1 + idBytes));
      return { operator, kind, tenantId, reference: uuidOfBytes(named.subarray(1 + idBytes)) };
    },
  };
}
