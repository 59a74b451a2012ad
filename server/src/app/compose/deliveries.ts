import { LocalTargets } from '../../integrations/webhooks/local-targets.ts';
import { createSender } from '../../integrations/webhooks/send.ts';
import { TargetCache } from '../../integrations/webhooks/target-cache.ts';
import { TenantModes } from '../../integrations/webhooks/tenant-modes.ts';
import { WebhookWorker } from '../../integrations/webhooks/worker.ts';
import { isOwnPort } from '../own-ports.ts';
import type { Base } from './base.ts';

/** Composes webhook deliveries. */
export function composeDeliveries(base: Base) {
  const { wallClock: clock, database, secrets, metrics } = base;
  const timeoutMs = base.timing.deliveryTimeoutMs;
  const { allowPrivate } = base;
  const localTargets = allowPrivate.isGiven ? undefined : new LocalTargets(isOwnPort);
  const sender = createSender({ allowPrivate, localTargets, timeoutMs, clock });
  const worker = new WebhookWorker({
    ...base,
    sender: base.traced.sender(sender),
    attemptTimeoutMs: timeoutMs,
    targets: new TargetCache(database, secrets),
    memory: base.deliveryMemory,
    modes: new TenantModes(database),
    random: Math.random,
    onAttempt: ({ delivered }, mode) =>
      metrics.deliveries.inc({ outcome: delivered ? 'delivered' : 'failed', mode }),
    onDisabled: ({ reason }) => metrics.disabledEndpoints.inc({ reason }),
  });
  return { sender, worker };
}
