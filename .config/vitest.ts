import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { closingLine } from './closingLine.ts'
import { testFilesWith } from './testFilesWith.ts'
import { ThinFilesFirst } from './thinFilesFirst.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** How many inputs a property test makes: 300 in `npm test`, 10,000 in `npm run test:long`. */
    generatedInputs: number
  }
}

const root = fileURLToPath(new URL('..', import.meta.url))

const resolve: ViteUserConfig['resolve'] = {
  alias: [
    { find: /^redeemkit$/, replacement: `${root}src/redeemkit/index.ts` },
    { find: /^@redeemkit\/sandbox\/testing$/, replacement: `${root}src/sandbox/testing/index.ts` },
    { find: /^@redeemkit\/sandbox\/testing\/vitest$/, replacement: `${root}src/sandbox/testing/vitest.ts` },
    {
      find: /^@redeemkit\/sandbox\/testing\/wallet$/,
      replacement: `${root}src/sandbox/testing/wallet/index.ts`,
    },
    { find: /^@redeemkit\/sandbox$/, replacement: `${root}src/sandbox/index.ts` },
    { find: /^redeemkit\/(.+)$/, replacement: `${root}src/redeemkit/$1/index.ts` },
  ],
}

/**
 * Files that replace modules, globals, timers or the environment, or whose helper has a state and hooks for one file: the next file
 * in the same process would be affected. `drizzle-kit` adds to `Array.prototype`.
 */
const isolated = testFilesWith(
  /\bvi\.(mock|doMock|spyOn|stubGlobal|stubEnv|useFakeTimers)\b|process\.env\.\w+ =|assign\(process\.env|defineProperty\(globalThis|'drizzle-kit|@vitest-environment|\/(stellarSetup|crashCases)\.ts'/,
  ['src', 'test', 'examples'],
)

const common = {
  retry: 0,
  testTimeout: 180_000,
  hookTimeout: 120_000,
  provide: { generatedInputs: 300 },
}
const notHere = ['**/*.long.test.{ts,tsx}', '**/node_modules/**']

export default defineConfig({
  root,
  resolve,
  test: {
    globalSetup: [`${root}test/postgres/globalSetup.ts`],
    maxWorkers: 2,
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
      {
        // With a process for each of these files, loading viem, zod and the chains' SDKs takes longer than their tests.
        root,
        resolve,
        test: {
          ...common,
          name: 'shared',
          include: ['{src,test,examples}/**/*.test.{ts,tsx}'],
          exclude: [...notHere, ...isolated],
          isolate: false,
          // After the others: a process takes its next file only from its own project.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
