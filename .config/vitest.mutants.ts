import { defineConfig } from 'vitest/config'
import base from './vitest.ts'

// The unit tests alone: Stryker runs them again for each mutant.
export default defineConfig({
  root: base.root,
  resolve: base.resolve,
  test: {
    include: ['src/**/*.test.ts'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    provide: { generatedInputs: 50 },
    globalSetup: base.test?.globalSetup,
    maxWorkers: 1,
    // Starting a database takes longer than 10 seconds on a busy machine, and some tests longer than 5.
    hookTimeout: 120_000,
    testTimeout: 20_000,
  },
})
