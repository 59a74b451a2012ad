import { adapterModules } from '../../src/config/catalogue.ts';

/** The line that plugs it in. */
adapterModules.wallet = '../test/wallet/adapter.ts';
