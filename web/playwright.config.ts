import { defineConfig } from '@playwright/test';

const port = Number(process.env.LINKWORK_E2E_PORT ?? 4791);

export default defineConfig({
  testDir: 'tests/e2e',
  timeout: 60_000,
  workers: 1,
  // Software rendering on a busy machine can miss a moment, once; what is wrong fails every time.
  retries: 2,
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 900, height: 600 },
    launchOptions: {
      executablePath: process.env.LINKWORK_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--use-gl=angle',
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
    },
  },
  // The same server and the same policy as for people.
  webServer: {
    command: `cargo run --quiet --package linkwork-cli -- --quiet lab --no-browser --port ${port}`,
    cwd: '..',
    url: `http://127.0.0.1:${port}/`,
    timeout: 300_000,
    reuseExistingServer: false,
  },
});
