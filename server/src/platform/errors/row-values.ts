/** PostgreSQL's error details contain row values: phones, names of customers. */
const holdsValues = ['detail', 'where', 'internalQuery'] as const;

/** Removes row values from an error, its causes and its parts, or from the object that a log writes for them. */
export function dropRowValues<T extends object>(shown: T): T {
  for (const name of holdsValues) if (name in shown) Reflect.deleteProperty(shown, name);
  const { cause, errors } = shown as { cause?: unknown; errors?: unknown };
  for (const value of [...Object.values(shown), cause, errors].flat()) {
    if (typeof value === 'object' && value !== null && 'stack' in value) dropRowValues(value);
  }
  return shown;
}
