/** Who a request acts for: what its API key says. */
export interface Principal {
  tenantId: string;
  merchantId: string;
  mode: 'live' | 'test';
  permissions: ReadonlySet<string>;
}

/**
 * Gives the principal of a well-formed API key, or undefined when the key is unknown or revoked. `admit`
 * is asked before a key that was not valid a moment ago costs a look-up; where it refuses, the key counts
 * as unknown.
 */
export type Authenticate = (key: string, admit?: () => boolean) => Promise<Principal | undefined>;
