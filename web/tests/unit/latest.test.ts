import { expect, test } from 'vitest';
import { latest } from '../../src/latest';

test('questions asked while one is open are answered by one more', async () => {
  const answers: (() => void)[] = [];
  const ask = latest(
    () =>
      new Promise((resolve) => {
        answers.push(resolve);
      }),
  );
  const first = ask();
  void ask();
  void ask();
  expect(answers).toHaveLength(1);
  answers[0]?.();
  await Promise.resolve();
  await Promise.resolve();
  expect(answers).toHaveLength(2);
  answers[1]?.();
  await first;
  expect(answers).toHaveLength(2);
});
