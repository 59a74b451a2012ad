import { adapterModules } from '../../src/platform/config/operator-catalogue.ts';

/** The line that plugs the adapter in. */
adapterModules.wallet = '../test/wallet/adapter.ts';
