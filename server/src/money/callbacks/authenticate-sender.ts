import type { CallbackFormat, SignedCallback } from '../../integrations/operators/adapter.ts';
import type { AdapterOf } from '../../integrations/operators/load-adapters.ts';
import type { CallbackAuth } from '../../platform/config/callback-settings.ts';
import { fingerprintOf } from '../../platform/config/kinds.ts';
import type { LiveOperatorName } from '../../platform/config/operator-catalogue.ts';
import type { OperatorConfigs, OperatorSettings } from '../../platform/config/operator-settings.ts';
import { networkMatcher } from '../../platform/network/networks.ts';

/** A callback as the gateway received it. */
export interface CallbackRequest extends SignedCallback {
  /** The client's address, as seen behind trusted proxies. */
  ip: string;
  /** The other end of the connection: a proxy, or the client itself. */
  peer: string;
}

/** The proofs that settings can require of a callback. */
export const proofs = ['ADDRESS', 'SIGNATURE', 'CERTIFICATE'] as const;
export type Proof = (typeof proofs)[number];

/** NOT_CONFIGURED: the settings require no proof, so nothing is proven. Otherwise every required proof must hold. */
export type Authenticity =
  | { verdict: 'NOT_CONFIGURED' | 'AUTHENTIC' }
  | { verdict: 'REFUSED'; lacking: Proof[] };

export type AuthenticateCallback = (
  operator: LiveOperatorName,
  request: CallbackRequest,
) => Authenticity;

type Check = (request: CallbackRequest) => boolean;

/** @param trustProxy the proxies whose report of a client certificate is trusted */
export function makeAuthenticateCallback(
  operators: OperatorConfigs,
  adapterOf: AdapterOf,
  trustProxy: readonly string[],
): AuthenticateCallback {
  const isProxy = networkMatcher(trustProxy);
  const configured = Object.entries(operators) as [LiveOperatorName, OperatorSettings][];
  const checksOf = new Map(
    configured.map(([operator, { callbackAuth }]) => [
      operator,
      checksFor(callbackAuth, adapterOf[operator].callbacks, isProxy),
    ]),
  );
  return (operator, request) => {
    // An operator that was removed from the configuration may still call back: we keep its callback, but do not trust
    // it.
    const checks = checksOf.get(operator) ?? [];
    if (checks.length === 0) return { verdict: 'NOT_CONFIGURED' };
    const lacking = checks.filter(([, holds]) => !holds(request)).map(([proof]) => proof);
    return lacking.length === 0 ? { verdict: 'AUTHENTIC' } : { verdict: 'REFUSED', lacking };
  };
}

/**
 * Whether an authentic callback proves who sent it, and so that the sender chose this address. A signature alone
 * proves only the body: anyone who has seen the body can send it again to any address.
 */
export const provesSender = ({ addresses, certificates }: CallbackAuth): boolean =>
  addresses.length > 0 || certificates.length > 0;

/** The same, by the operator's configured name. */
export function makeProvesSender(
  operators: OperatorConfigs,
): (operator: LiveOperatorName) => boolean {
  return (operator) => {
    const auth = operators[operator]?.callbackAuth;
    return auth !== undefined && provesSender(auth);
  };
}

function checksFor(
  { addresses, secret, certificates }: CallbackAuth,
  callbacks: CallbackFormat,
  isProxy: (address: string) => boolean,
): [Proof, Check][] {
  const checks: [Proof, Check][] = [];
  if (addresses.length > 0) {
    const isKnown = networkMatcher(addresses);
    checks.push(['ADDRESS', ({ ip }) => isKnown(ip)]);
  }
  if (secret !== undefined) {
    checks.push(['SIGNATURE', (request) => callbacks.isSigned(secret, request)]);
  }
  if (certificates.length > 0) {
    checks.push([
      'CERTIFICATE',
      ({ peer, headers }) => isProxy(peer) && isNamed(certificates, headers[certificate]),
    ]);
  }
  return checks;
}

const certificate = 'x-client-certificate-sha256';

/** A header that was sent twice arrives joined by a comma, and names no certificate. */
function isNamed(certificates: readonly string[], given: string | string[] | undefined): boolean {
  const fingerprint = typeof given === 'string' ? fingerprintOf(given) : undefined;
  return fingerprint !== undefined && certificates.includes(fingerprint);
}
