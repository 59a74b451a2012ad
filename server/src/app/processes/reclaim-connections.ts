import type { Worker } from 'node:cluster';

interface ToNode {
  cmd?: string;
  act?: string;
  seq?: number;
}

/**
 * Gives connections to other workers that were on their way to one which died. Node waits for ever for its word that it
 * has taken them, and so would their clients, although nothing of their requests has been read yet. While it waits it does
 * not notice the end of the line to that worker either. So both is said here: that the line has ended, which takes the
 * worker's part in the port from it; then that the connections were not accepted, as a worker says that is closing.
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
    // What it said before it died is still being read.
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
