import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventTypes } from '../../src/integrations/events/event.ts';
import type { Api } from '../support/gateway.ts';
import type { OutsideRecord } from './record.ts';

/** The events that an endpoint has accepted. */
interface Inbox {
  secret: string;
  /** A digest of each event's body, by event id. */
  bodies: Map<string, string>;
  /** Events answered with 200. */
  taken: Set<string>;
}

const freshSeconds = 300;
/** The endpoint refuses every n-th event at its first delivery. */
const refusedShare = 37;

/** A merchant's server: verifies deliveries, records them, and sometimes refuses one. */
export class TortureReceiver {
  readonly inboxes = new Map<string, Inbox>();
  #record: OutsideRecord;
  #server: Server;
  /** The events of one type about one object: exactly one is allowed. */
  #eventOf = new Map<string, string>();

  private constructor(record: OutsideRecord) {
    this.#record = record;
    this.#server = createServer((request, response) => {
      void this.#receive(request).then((status) => response.writeHead(status).end());
    });
  }

  static async open(record: OutsideRecord): Promise<TortureReceiver> {
    const receiver = new TortureReceiver(record);
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  urlOf(name: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${name}`;
  }

  expect(name: string, secret: string): void {
    this.inboxes.set(name, { secret, bodies: new Map(), taken: new Set() });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #receive(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // The sender was killed meanwhile.
      return 400;
    }
    const inbox = this.inboxes.get(request.url!.slice(1));
    if (!inbox) return 404;
    const raw = Buffer.concat(chunks);
    if (!isGenuine(request, raw, inbox.secret)) {
      this.#record.broken.push(`a webhook came with a wrong signature: ${raw.toString()}`);
      return 400;
    }
    return this.#take(inbox, raw);
  }

  #take(inbox: Inbox, raw: Buffer): number {
    const event = JSON.parse(raw.toString()) as {
      id: string;
      type: string;
      data: { id: string; status: string };
    };
    const digest = createHash('sha256').update(raw).digest('base64');
    const before = inbox.bodies.get(event.id);
    if (before !== undefined && before !== digest) {
      this.#record.broken.push(`event ${event.id} came again with another body: ${raw.toString()}`);
    }
    inbox.bodies.set(event.id, digest);
    const fact = `${event.type} of ${event.data.id}`;
    const told = this.#eventOf.get(fact);
    if (told !== undefined && told !== event.id) {
      this.#record.broken.push(`${fact} was reported by two events, ${told} and ${event.id}`);
    }
    this.#eventOf.set(fact, event.id);
    this.#record.sight(event.data.id, event.data.status);
    if (before === undefined && inbox.bodies.size % refusedShare === 0) return 503;
    inbox.taken.add(event.id);
    return 200;
  }
}

/** Test keys never get the other one. */
const everyType = eventTypes.filter((type) => type !== 'operator.status_changed');

/**
 * Endpoints with different subscriptions. @returns the id of the one that is disabled and enabled
 * again and again
 * @param everything the types that the gateway knows: an older version has fewer
 */
export async function subscribe(
  api: Api,
  receiver: TortureReceiver,
  everything: readonly string[] = everyType,
): Promise<string> {
  const subscriptions = {
    everything,
    money: ['payment.debited', 'refund.succeeded', 'settlement.completed'],
    fickle: everything,
  };
  let lastId = '';
  for (const [name, events] of Object.entries(subscriptions)) {
    const { status, body } = await api('POST', '/v1/webhooks', {
      url: receiver.urlOf(name),
      events,
    });
    if (status !== 200) throw new Error(`an endpoint was refused: ${JSON.stringify(body)}`);
    receiver.expect(name, body.secret);
    lastId = body.id;
  }
  return lastId;
}

function isGenuine({ headers }: IncomingMessage, raw: Buffer, secret: string): boolean {
  const timestamp = String(headers['x-service-timestamp']);
  const message = Buffer.concat([Buffer.from(`${timestamp}.`), raw]);
  const expected = createHmac('sha256', secret).update(message).digest('hex');
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  return headers['x-service-signature'] === expected && ageSeconds < freshSeconds;
}
