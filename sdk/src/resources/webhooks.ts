import type {
  CreateWebhookEndpointAnswer,
  CreateWebhookEndpointBody,
  ListWebhookEndpointsQuery,
  UpdateWebhookEndpointBody,
  WebhookEndpoint,
} from '../generated.ts';
import type { List } from '../list.ts';
import type { CallOptions, CreateOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/** Where the gateway sends events (contract, sections 2.7 and 4.4). What arrives there is checked by `verifyWebhook`. */
export class WebhookEndpoints extends Resource {
  /**
   * Registers a URL for events of the types given. The answer holds the `secret`, this once: store it.
   *
   * @throws {ZimboError} `VALIDATION_ERROR`; `IDEMPOTENCY_KEY_REUSED`.
   */
  create(
    body: CreateWebhookEndpointBody,
    options?: CreateOptions,
  ): Promise<CreateWebhookEndpointAnswer> {
    return this.transport.call('createWebhookEndpoint', { body }, options);
  }

  /** @throws {ZimboError} `NOT_FOUND` */
  get(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.transport.call('getWebhookEndpoint', { path: { id } }, options);
  }

  /**
   * Endpoints, newest first.
   *
   * @throws {ZimboError} when walked: `VALIDATION_ERROR` for a cursor that is wrong.
   */
  list(query: ListWebhookEndpointsQuery = {}, options?: CallOptions): List<WebhookEndpoint> {
    return this.transport.list('listWebhookEndpoints', query, options);
  }

  /**
   * Changes what the body names; ACTIVE and DISABLED switch the endpoint on and off.
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
   * Gives up what was still to be delivered to it.
   *
   * @throws {ZimboError} `NOT_FOUND`
   */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.transport.call('deleteWebhookEndpoint', { path: { id } }, options);
  }
}
