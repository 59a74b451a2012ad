import type { Worker } from 'node:cluster';

interface ToNode {
  cmd?: string;
  act?: string;
  seq?: number;
}

/**
 * Gives connections to other workers that were on their way to one which died. node:cluster waits for its answer for
 * ever, and so would the client: nothing of its request has been read yet. So we answer for it, as a worker does that
 * closes: "not accepted".
 */
export function reclaimConnections(worker: Worker): void {
  const child = worker.process;
  const underWay = new Set<number>();
  const send = child.send.bind(child) as (...given: unknown[]) => boolean;
  const noting = (message: ToNode, ...rest: unknown[]) => {
    if (message.cmd === ofCluster && message.act === 'newconn') underWay.add(message.seq!);
    return send(message, ...rest);
  };
  Object.assign(child, { send: noting });
  child.on('internalMessage', ({ ack }: { ack?: number }) => {
    if (ack !== undefined) underWay.delete(ack);
  });
  // By now it has no part in the port any more, and all that it said has been read.
  worker.on('disconnect', () => {
    for (const ack of underWay) {
      child.emit('internalMessage', { cmd: ofCluster, ack, accepted: false });
    }
  });
}

const ofCluster = 'NODE_CLUSTER';
