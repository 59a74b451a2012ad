import type {
  CheckoutSession,
  CheckoutSettings,
  CreateCheckoutSessionBody,
  ListCheckoutSessionsQuery,
  UpdateCheckoutSettingsBody,
} from '../generated.ts';
import type { List } from '../list.ts';
import type { CallOptions, CreateOptions, Transport } from '../transport.ts';
import { Resource } from './resource.ts';

export class Checkout {
  readonly sessions: CheckoutSessions;
  readonly settings: CheckoutSettingsResource;

  constructor(transport: Transport) {
    this.sessions = new CheckoutSessions(transport);
    this.settings = new CheckoutSettingsResource(transport);
  }
}

/** Payment links with a hosted page (contract, sections 2.3, 2.4 and 4.1). */
export class CheckoutSessions extends Resource {
  /**
   * Opens a session: send the customer to its `url`. The customer's return to `completionUrl` does
   * not prove payment; the event `checkout.completed` does.
   * @param body Either `amount` or `items`, in centavos: 1 to 100000000, for an item its
   * `unitPrice`.
   * @throws {ZimboError} `VALIDATION_ERROR`; `NOT_FOUND` for an unknown product;
   * `IDEMPOTENCY_KEY_REUSED`.
   */
  create(body: CreateCheckoutSessionBody, options?: CreateOptions): Promise<CheckoutSession> {
    return this.transport.call('createCheckoutSession', { body }, options);
  }

  /** @throws {ZimboError} `NOT_FOUND` */
  get(id: string, options?: CallOptions): Promise<CheckoutSession> {
    return this.transport.call('getCheckoutSession', { path: { id } }, options);
  }

  /**
   * Sessions, newest first.
   *
   * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
   */
  list(query: ListCheckoutSessionsQuery = {}, options?: CallOptions): List<CheckoutSession> {
    return this.transport.list('listCheckoutSessions', query, options);
  }

  /**
   * Ends an open session early.
   *
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` unless OPEN, or while the customer is paying.
   */
  expire(id: string, options?: CreateOptions): Promise<CheckoutSession> {
    return this.transport.call('expireCheckoutSession', { path: { id } }, options);
  }
}

/** Who may show the payment page inside their pages: one list for live keys, one for test keys. */
export class CheckoutSettingsResource extends Resource {
  get(options?: CallOptions): Promise<CheckoutSettings> {
    return this.transport.call('getCheckoutSettings', {}, options);
  }

  /**
   * Replaces `frameOrigins`, if given.
   * @throws {ZimboError} `VALIDATION_ERROR` for anything but an https origin (with a test key also
   * http on localhost), and for more than 20.
   */
  update(body: UpdateCheckoutSettingsBody, options?: CallOptions): Promise<CheckoutSettings> {
    return this.transport.call('updateCheckoutSettings', { body }, options);
  }
}
