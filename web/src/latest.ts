// One question at a time: all who ask meanwhile are answered by one more.

export const latest = (ask: () => Promise<void>): (() => Promise<void>) => {
  let isAsking = false;
  let isStale = false;
  return async () => {
    isStale = true;
    if (isAsking) return;
    isAsking = true;
    try {
      while (isStale) {
        isStale = false;
        await ask();
      }
    } finally {
      isAsking = false;
    }
  };
};
