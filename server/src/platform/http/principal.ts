/** Who a request acts for: what its API key says. */
export interface Principal {
  tenantId: string;
  merchantId: string;
  mode: 'live' | 'test';
  permissions: ReadonlySet<string>;
}

/** Gives the principal of a well-formed API key, or undefined when the key is unknown or revoked. */
export type Authenticate = (key: string) => Promise<Principal | undefined>;
