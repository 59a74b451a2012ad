/**
 * A view without the fields that were added after the row was written, so that the answer to its
 * creation stays the same to the byte.
 * @param since the version of the rendering that first had a field; what is not listed was always there
 */
export function shownThen<View extends object>(
  view: View,
  since: Partial<Record<keyof View, number>>,
  rendering: number,
): Partial<View> {
  const shown = Object.entries(view).filter(
    ([field]) => (since[field as keyof View] ?? 1) <= rendering,
  );
  return Object.fromEntries(shown) as Partial<View>;
}
