/** The receiver of the load in a process of its own, for the floor of deliveries. Prints its address. */
import { startReceiver } from '../load/receiver.ts';

const receiver = await startReceiver(() => {});
console.log(receiver.url);
