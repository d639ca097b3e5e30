import { defineConfig } from '@playwright/test';

const port = Number(process.env.LINKWORK_E2E_PORT ?? 4791);

// `cargo xtask web-test` says where the program is.
const cli = process.env.LINKWORK_CLI;
const program = cli ? `"${cli}"` : 'cargo run --quiet --package linkwork-cli --';

// What Playwright switches off itself (of such switches the browser heeds the last one), and what is only for people
// who type addresses: its page of suggestions was a third of the work of opening a page.
const withoutFeatures = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'AimEnabled',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

export default defineConfig({
  testDir: 'tests/e2e',
  // `cargo ci` runs what measures time by itself, when nothing else runs.
  testIgnore: process.env.LINKWORK_E2E_WITHOUT ? `${process.env.LINKWORK_E2E_WITHOUT}.spec.ts` : [],
  timeout: 60_000,
  // What must be seen may take a while: pictures are made in software, beside the tests of Rust.
  expect: { timeout: 20_000 },
  workers: 1,
  // A test that fails now and then has a defect, or the page has.
  retries: 0,
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
        `--disable-features=${withoutFeatures.join(',')}`,
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
    command: `${program} --quiet lab --no-browser --port ${port}`,
    cwd: '..',
    url: `http://127.0.0.1:${port}/`,
    timeout: 300_000,
    reuseExistingServer: false,
  },
});
