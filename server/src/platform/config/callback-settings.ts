import { fingerprintList, networkList, signatureSecret, trustsEverybody } from './kinds.ts';

/**
 * The checks that a callback must pass before the gateway accepts it: all that are set (docs/operators.md).
 */
export interface CallbackAuth {
  /** Addresses and networks that may send callbacks; if empty, any address may. */
  addresses: readonly string[];
  /** The secret that signs callbacks; the adapter knows the algorithm. */
  secret: string | undefined;
  /** SHA-256 fingerprints of client certificates, in lower-case hex; if empty, no certificate is required. */
  certificates: readonly string[];
}

/** The settings that authenticate the callbacks of one operator; each works alone or with others. */
export const callbackSettings = (operator: string) => ({
  CALLBACK_ADDRESSES: {
    group: 'Operators',
    kind: networkList,
    otherwise: 'any address',
    about: `The addresses from which ${operator} sends callbacks; callbacks from others are answered with 401. Behind a proxy, set TRUST_PROXY too.`,
    example: '203.0.113.7,2001:db8::/32',
  },
  CALLBACK_SECRET: {
    group: 'Operators',
    kind: signatureSecret,
    otherwise: 'no signature is needed',
    about: `The secret with which ${operator} signs its callbacks (for the adapter gsma, in the header X-Callback-Signature).`,
    example: 'the output of openssl rand -hex 32',
    secret: true as const,
  },
  CALLBACK_CERTIFICATE: {
    group: 'Operators',
    kind: fingerprintList,
    otherwise: 'no certificate is needed',
    about: `The SHA-256 fingerprint of the client certificate with which ${operator} calls back; several during a renewal. A proxy named by TRUST_PROXY must pass it on in the header X-Client-Certificate-Sha256.`,
    example: 'the output of openssl x509 -noout -fingerprint -sha256, after the equals sign',
  },
});

export type CallbackSetting = keyof ReturnType<typeof callbackSettings>;

/** The settings of one operator, as given. */
export interface GivenSettings<Setting extends string> {
  prefix: string;
  /** The value; undefined if it is missing, or wrong and already reported. */
  of: (setting: Setting) => unknown;
  /** Whether the setting has any value, right or wrong. */
  isGiven: (setting: Setting) => boolean;
}

const provingSettings: readonly CallbackSetting[] = [
  'CALLBACK_ADDRESSES',
  'CALLBACK_SECRET',
  'CALLBACK_CERTIFICATE',
];

/** Returns the checks that authenticate the callbacks of one operator. */
export function callbackAuthOf(
  given: GivenSettings<CallbackSetting>,
  trustProxy: readonly string[] | undefined,
  problems: string[],
): CallbackAuth {
  problems.push(...proxyProblems(given, trustProxy));
  return {
    addresses: (given.of('CALLBACK_ADDRESSES') as string[] | undefined) ?? [],
    secret: given.of('CALLBACK_SECRET') as string | undefined,
    certificates: (given.of('CALLBACK_CERTIFICATE') as string[] | undefined) ?? [],
  };
}

/** @param trustProxy undefined if that setting itself is wrong */
function proxyProblems(
  { prefix, isGiven }: GivenSettings<CallbackSetting>,
  trustProxy: readonly string[] | undefined,
): string[] {
  if (trustProxy === undefined) return [];
  const example = 'For example: TRUST_PROXY=10.0.0.7';
  const certificate = `${prefix}_CALLBACK_CERTIFICATE`;
  if (isGiven('CALLBACK_CERTIFICATE') && trustProxy.length === 0) {
    return [
      `TRUST_PROXY is required with ${certificate}, and must name the proxy that checks the certificate. ${example}`,
    ];
  }
  const claimable = (['CALLBACK_ADDRESSES', 'CALLBACK_CERTIFICATE'] as const).filter(isGiven);
  if (claimable.length === 0 || !trustsEverybody(trustProxy)) return [];
  const names = claimable.map((setting) => `${prefix}_${setting}`).join(' and ');
  return [
    `TRUST_PROXY must name the proxies with ${names}: if everyone is trusted, anyone can claim any address or certificate. ${example}`,
  ];
}

/**
 * If the operator cannot be queried, the gateway has to trust its callbacks, so they must be authenticated.
 */
export function silentOperatorProblems({
  prefix,
  of,
  isGiven,
}: GivenSettings<CallbackSetting | 'QUERY' | 'MODE'>): string[] {
  if (of('QUERY') !== 'none') return [];
  const problems: string[] = [];
  if (of('MODE') === 'polling') {
    problems.push(
      `${prefix}_MODE must be callback with ${prefix}_QUERY=none, because only callbacks report outcomes. For example: ${prefix}_MODE=callback`,
    );
  }
  if (!provingSettings.some(isGiven)) {
    problems.push(
      `${prefix}_QUERY can be none only if callbacks are authenticated: set ${prefix}_CALLBACK_CERTIFICATE, ${prefix}_CALLBACK_ADDRESSES or ${prefix}_CALLBACK_SECRET. For example: ${prefix}_CALLBACK_ADDRESSES=203.0.113.7`,
    );
  }
  return problems;
}
