// What clicks mean: gestures are lists of parts to be clicked, see docs/table-page.md.

export const times = (element, list) => list.filter((other) => other === element).length;
export const elementsOf = (step) => (Array.isArray(step) ? step : (step.set ?? [step.one]));

/**
 * Follow a gesture with what was clicked.
 * Returns null if it does not fit, else the elements that may come next (none: complete).
 */
export function follow(gesture, clicked) {
  let number = 0;
  let part = [];
  for (const element of clicked) {
    const step = gesture.s[number];
    if (!step || !elementsOf(step).includes(element)) return null;
    if (step.set && times(element, part) >= times(element, step.set)) return null;
    part.push(element);
    const needed = step.set ? step.set.length : (step.count ?? 1);
    if (part.length >= needed) [number, part] = [number + 1, []];
  }
  const step = gesture.s[number];
  if (!step) return [];
  return elementsOf(step).filter((element) => !step.set || times(element, part) < times(element, step.set));
}
