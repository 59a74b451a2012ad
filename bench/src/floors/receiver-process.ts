/** The load's receiver in its own process, for the floor of deliveries. Prints its address. */
import { startReceiver } from '../load/receiver.ts';

const receiver = await startReceiver(() => {});
console.log(receiver.url);
