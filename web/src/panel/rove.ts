// Tabs and radio buttons by keys: the group is one stop of the Tab key, and arrow keys go through it.

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Chooses the next one of a group, the previous, the first or the last. From the last one leads to the first. */
export const rove = (event: KeyboardEvent): void => {
  const group = event.currentTarget as HTMLElement;
  const all = [...group.querySelectorAll<HTMLElement>('[role=tab], [role=radio]')];
  const from = all.indexOf(event.target as HTMLElement);
  const step = STEPS[event.key];
  let to: number;
  if (event.key === 'Home') to = 0;
  else if (event.key === 'End') to = all.length - 1;
  else if (step !== undefined && from >= 0) to = (from + step + all.length) % all.length;
  else return;
  event.preventDefault();
  all[to]?.focus();
  all[to]?.click();
};
