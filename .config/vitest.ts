import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { closingLine } from './closingLine.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: /^redeemkit$/, replacement: `${root}src/index.ts` },
      { find: /^@redeemkit\/sandbox\/testing$/, replacement: `${root}src/testing/index.ts` },
      { find: /^@redeemkit\/sandbox\/testing\/vitest$/, replacement: `${root}src/testing/vitest.ts` },
      { find: /^@redeemkit\/sandbox\/testing\/wallet$/, replacement: `${root}src/testing/wallet/index.ts` },
      { find: /^@?redeemkit\/(.+)$/, replacement: `${root}src/$1/index.ts` },
    ],
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    globalSetup: [`${root}test/postgres/globalSetup.ts`],
    retry: 0,
    // Property tests with 10,000 inputs take half a minute on a slow machine.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    reporters: ['default', closingLine],
  },
})
