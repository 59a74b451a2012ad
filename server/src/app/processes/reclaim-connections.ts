import type { Worker } from 'node:cluster';

interface ToNode {
  cmd?: string;
  act?: string;
  seq?: number;
}

/**
 * Redirects connections that were on their way to a worker that died. Node would wait forever for the dead worker to
 * acknowledge them, and so would their clients, although none of their requests has been read. While it waits, it does
 * not notice the end of the channel to that worker either. So this code emits both: the end of the channel, which
 * removes the worker from the port; then a refusal of the connections, as from a closing worker.
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
  const reclaim = () => {
    // Its last messages are still being read.
    if (child.connected) setImmediate(reclaim);
    else if (underWay.size > 0) {
      child.emit('disconnect');
      for (const ack of underWay) {
        child.emit('internalMessage', { cmd: ofCluster, ack, accepted: false });
      }
    }
  };
  worker.on('exit', reclaim);
}

const ofCluster = 'NODE_CLUSTER';
