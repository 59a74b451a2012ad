import {
  adapterModules,
  type LiveOperatorName,
  liveOperatorNames,
  operatorCatalogue,
  recordOf,
} from '../../platform/config/operator-catalogue.ts';
import type { OperatorConfigs } from '../../platform/config/operator-settings.ts';
import type { Adapter } from './adapter.ts';

/** The adapter of each operator, configured or not: one that was removed from the configuration still calls back. */
export type AdapterOf = Readonly<Record<LiveOperatorName, Adapter>>;

export async function loadAdapters(configured: OperatorConfigs): Promise<AdapterOf> {
  const nameOf = (operator: LiveOperatorName) =>
    configured[operator]?.adapter ?? operatorCatalogue[operator].adapter;
  const loaded = await Promise.all(
    liveOperatorNames.map(async (operator) => loadAdapter(nameOf(operator))),
  );
  return recordOf(liveOperatorNames, (operator) => loaded[liveOperatorNames.indexOf(operator)]!);
}

/** Loads an adapter of the catalogue on demand: a command that calls no operator starts quickly. */
export async function loadAdapter(name: string): Promise<Adapter> {
  const module = new URL(`../../${adapterModules[name]}`, import.meta.url).href;
  return ((await import(module)) as { adapter: Adapter }).adapter;
}
