import { defineConfig } from 'vitest/config';

/** Scenes keep their names, so that `scenes/four-bar.json` is beside the page for everybody. */
const assetFileNames = ({ names }: { names: string[] }): string =>
  names[0]?.endsWith('.json') ? 'scenes/[name][extname]' : 'assets/[name]-[hash][extname]';

export default defineConfig({
  // From any host and any folder of it.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  // Nothing is inlined: the server's policy forbids it.
  build: {
    // Into the crate that has the page in its program and in its package.
    outDir: '../crates/linkwork-cli/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { output: { assetFileNames } },
  },
  // The scenes of the library are not of the page's folder.
  server: { fs: { allow: ['.', '../crates/linkwork-scene/scenes'] } },
  test: {
    environment: 'happy-dom',
    include: ['tests/unit/**/*.test.{ts,tsx}'],
    setupFiles: ['tests/unit/catalogue.ts'],
  },
});
