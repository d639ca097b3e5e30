import { defineConfig } from 'vitest/config';

export default defineConfig({
  // From any host and any folder of it.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  // Nothing is inlined: the server's policy forbids it.
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 800 },
  test: { environment: 'happy-dom', include: ['tests/unit/**/*.test.{ts,tsx}'] },
});
