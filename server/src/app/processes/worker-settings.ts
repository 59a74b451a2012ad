import type { Config } from '../../platform/config/config.ts';
import type { OperatorConfigs } from '../../platform/config/operator-settings.ts';

/** The settings of one of several processes: limits of the machine are divided among them. */
export function settingsOfSlot(config: Config, slot: number): Config {
  const share = (whole: number) => shareOf(whole, slot, config.processes);
  const operators = Object.entries(config.operators).map(([name, settings]) => [
    name,
    { ...settings, maxCalls: share(settings.maxCalls) },
  ]);
  return {
    ...config,
    databaseConnections: share(config.databaseConnections),
    operators: Object.fromEntries(operators) as OperatorConfigs,
  };
}

/** The shares add up to the whole. */
export function shareOf(whole: number, slot: number, processes: number): number {
  return Math.floor(whole / processes) + (slot < whole % processes ? 1 : 0);
}
