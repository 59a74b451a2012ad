import type { CallbackFormat, SignedCallback } from '../../integrations/operators/adapter.ts';
import type { AdapterOf } from '../../integrations/operators/load-adapters.ts';
import type { CallbackAuth } from '../../platform/config/callback-settings.ts';
import { fingerprintOf } from '../../platform/config/kinds.ts';
import type { LiveOperatorName } from '../../platform/config/operator-catalogue.ts';
import type { OperatorConfigs, OperatorSettings } from '../../platform/config/operator-settings.ts';
import { networkMatcher } from '../../platform/network/networks.ts';

/** A callback as it came in. */
export interface CallbackRequest extends SignedCallback {
  /** The client, as it is known behind the proxies that are trusted. */
  ip: string;
  /** The other end of the connection: a proxy, or the client itself. */
  peer: string;
}

/** What a callback can be asked to prove. */
export const proofs = ['ADDRESS', 'SIGNATURE', 'CERTIFICATE'] as const;
export type Proof = (typeof proofs)[number];

/** NOT_CONFIGURED: nothing is asked for, so nothing is proved. Otherwise all that is asked for must hold. */
export type Authenticity =
  | { verdict: 'NOT_CONFIGURED' | 'AUTHENTIC' }
  | { verdict: 'REFUSED'; lacking: Proof[] };

export type AuthenticateCallback = (
  operator: LiveOperatorName,
  request: CallbackRequest,
) => Authenticity;

type Check = (request: CallbackRequest) => boolean;

/** @param trustProxy the proxies whose word on a client certificate is believed */
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
    // An operator that has left the configuration still calls back: it is heard, and not believed.
    const checks = checksOf.get(operator) ?? [];
    if (checks.length === 0) return { verdict: 'NOT_CONFIGURED' };
    const lacking = checks.filter(([, holds]) => !holds(request)).map(([proof]) => proof);
    return lacking.length === 0 ? { verdict: 'AUTHENTIC' } : { verdict: 'REFUSED', lacking };
  };
}

/**
 * Whether an authentic callback proves who sent it, and so that the sender meant the address it was sent
 * to. A signature alone proves its body only: who has seen it can send it to any address again.
 */
export const provesSender = ({ addresses, certificates }: CallbackAuth): boolean =>
  addresses.length > 0 || certificates.length > 0;

/** The same by the operator's name, as it is configured. */
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

/** A header that was sent twice arrives as one with a comma, and names no certificate. */
function isNamed(certificates: readonly string[], given: string | string[] | undefined): boolean {
  const fingerprint = typeof given === 'string' ? fingerprintOf(given) : undefined;
  return fingerprint !== undefined && certificates.includes(fingerprint);
}
