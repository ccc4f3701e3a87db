import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { closingLine } from './closingLine.ts'
import { entryPoints } from './entryPoints.ts'
import { testFilesWith } from './testFilesWith.ts'
import { ThinFilesFirst } from './thinFilesFirst.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** How many inputs a property test makes: 500 in `npm test`, 10,000 in `npm run test:long`. */
    generatedInputs: number
  }
}

const root = fileURLToPath(new URL('..', import.meta.url))

const resolve: ViteUserConfig['resolve'] = {
  alias: Object.entries(entryPoints).map(([name, path]) => ({
    find: new RegExp(`^${name}$`),
    replacement: `${root}${path}`,
  })),
}

const folders = ['src', 'test', 'examples']

/**
 * Test files that would affect the next file in the same process: they replace modules, globals, timers or the environment, or use
 * a helper that keeps state for one file. `drizzle-kit` adds to `Array.prototype`, and a WebSocket of `@solana/web3.js` reconnects for
 * ever.
 */
const isolated = testFilesWith(
  /\bvi\.(mock|doMock|spyOn|stubGlobal|stubEnv|useFakeTimers)\b|process\.env\.\w+ =(?!=)|assign\(process\.env|defineProperty\(globalThis|'drizzle-kit|\/(stellarSetup|crashCases)\.ts'|confirmTransaction|wsEndpoint/,
  folders,
)
const inDom = testFilesWith(/@vitest-environment/, folders)

const common = {
  retry: 0,
  testTimeout: 180_000,
  hookTimeout: 120_000,
  provide: { generatedInputs: 500 },
}
const notHere = ['**/*.long.test.{ts,tsx}', '**/node_modules/**']

/**
 * Files that run one after another in the same processes. Services, units and components have different ones: a service's HTTP server
 * replaces the global `Response`. Each group waits for the one before, because a process takes its next file only from its own project.
 */
const shared = (name: string, groupOrder: number, include: string[], exclude: string[] = []) => ({
  root,
  resolve,
  test: {
    ...common,
    name,
    include,
    exclude: [...notHere, ...isolated, ...exclude],
    isolate: false,
    setupFiles: `${root}.config/emptyPurchases.ts`,
    sequence: { groupOrder },
  },
})

export default defineConfig({
  root,
  resolve,
  test: {
    globalSetup: [`${root}test/postgres/globalSetup.ts`],
    // One more than the cores of CI: many tests wait for a block, a timer or a process.
    maxWorkers: 3,
    sequence: { sequencer: ThinFilesFirst },
    reporters: ['default', closingLine],
    projects: [
      {
        root,
        resolve,
        test: {
          ...common,
          name: 'isolated',
          include: isolated,
          exclude: notHere,
          sequence: { groupOrder: 0 },
        },
      },
      // With a process for each of these files, loading viem, zod and the chains' SDKs takes longer than their tests.
      shared('services', 1, ['{test,examples}/**/*.test.{ts,tsx}'], inDom),
      shared('units', 2, ['src/**/*.test.{ts,tsx}'], inDom),
      shared('components', 3, inDom),
    ],
  },
})
