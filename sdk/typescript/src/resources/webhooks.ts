import type {
  CreateWebhookEndpointAnswer,
  CreateWebhookEndpointBody,
  ListWebhookDeliveriesQuery,
  ListWebhookEndpointsQuery,
  RedeliverWebhookEventsAnswer,
  RedeliverWebhookEventsBody,
  RotateWebhookSecretAnswer,
  RotateWebhookSecretBody,
  UpdateWebhookEndpointBody,
  WebhookDelivery,
  WebhookEndpoint,
} from '../generated.ts';
import type { List } from '../list.ts';
import type { CallOptions, CreateOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/**
 * An answer with its secret. Only if you repeat a request with an `idempotencyKey` of your own after a later rotation,
 * the secret is missing.
 */
type WithSecret<Answer> = Answer & { secret: string };

/** The deliveries to an endpoint, and their results. */
export class WebhookDeliveries extends Resource {
  /** @throws {ZimboError} `NOT_FOUND` */
  get(endpointId: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> {
    const path = { id: endpointId, deliveryId };
    return this.transport.call('getWebhookDelivery', { path }, options);
  }

  /**
   * Deliveries of an endpoint with their attempts, newest event first.
   *
   * @throws {ZimboError} when walked: `NOT_FOUND`; `VALIDATION_ERROR` for an invalid cursor.
   */
  list(
    endpointId: string,
    query: ListWebhookDeliveriesQuery = {},
    options?: CallOptions,
  ): List<WebhookDelivery> {
    return this.transport.list('listWebhookDeliveries', query, options, { id: endpointId });
  }

  /**
   * Sends an event again, with a fresh series of attempts.
   *
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` if the endpoint is DISABLED.
   */
  redeliver(
    endpointId: string,
    deliveryId: string,
    options?: CreateOptions,
  ): Promise<WebhookDelivery> {
    const path = { id: endpointId, deliveryId };
    return this.transport.call('redeliverWebhookDelivery', { path }, options);
  }
}

/**
 * The endpoints to which the gateway sends events (contract, sections 2.7 and 4.4). Verify
 * deliveries there with `verifyWebhook`.
 */
export class WebhookEndpoints extends Resource {
  /**
   * Registers a URL for events of the given types. Only this answer contains the `secret`: store it.
   *
   * @throws {ZimboError} `VALIDATION_ERROR`; `IDEMPOTENCY_KEY_REUSED`.
   */
  create(
    body: CreateWebhookEndpointBody,
    options?: CreateOptions,
  ): Promise<WithSecret<CreateWebhookEndpointAnswer>> {
    return this.transport.call('createWebhookEndpoint', { body }, options) as never;
  }

  /** @throws {ZimboError} `NOT_FOUND` */
  get(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.transport.call('getWebhookEndpoint', { path: { id } }, options);
  }

  /**
   * Endpoints, newest first.
   *
   * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid cursor.
   */
  list(query: ListWebhookEndpointsQuery = {}, options?: CallOptions): List<WebhookEndpoint> {
    return this.transport.list('listWebhookEndpoints', query, options);
  }

  /**
   * Changes the fields in the body; ACTIVE and DISABLED switch the endpoint on and off.
   *
   * @throws {ZimboError} `NOT_FOUND`; `VALIDATION_ERROR`.
   */
  update(
    id: string,
    body: UpdateWebhookEndpointBody,
    options?: CallOptions,
  ): Promise<WebhookEndpoint> {
    return this.transport.call('updateWebhookEndpoint', { path: { id }, body }, options);
  }

  /**
   * Abandons its pending deliveries.
   *
   * @throws {ZimboError} `NOT_FOUND`
   */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.transport.call('deleteWebhookEndpoint', { path: { id } }, options);
  }

  /** The deliveries to endpoints. */
  readonly deliveries = new WebhookDeliveries(this.transport);

  /**
   * Gives an endpoint a new secret, which only this answer contains. For `overlapHours` (0 to 72, by
   * default 24) deliveries are signed with the old secret too.
   *
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` during an earlier overlap, without `endOverlap: true` or `overlapHours: 0`.
   */
  rotateSecret(
    id: string,
    body: NonNullable<RotateWebhookSecretBody> = {},
    options?: CreateOptions,
  ): Promise<WithSecret<RotateWebhookSecretAnswer>> {
    return this.transport.call('rotateWebhookSecret', { path: { id }, body }, options) as never;
  }

  /**
   * Resends the events of a period, such as an outage. If the answer has `nextSince`, call again from there.
   *
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` if it is DISABLED; `VALIDATION_ERROR`.
   */
  redeliver(
    id: string,
    body: RedeliverWebhookEventsBody,
    options?: CreateOptions,
  ): Promise<RedeliverWebhookEventsAnswer> {
    return this.transport.call('redeliverWebhookEvents', { path: { id }, body }, options);
  }

  /**
   * Sends an event of the type `webhook.test`.
   *
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` if it is DISABLED.
   */
  sendTest(id: string, options?: CreateOptions): Promise<WebhookDelivery> {
    return this.transport.call('testWebhookEndpoint', { path: { id } }, options);
  }
}
