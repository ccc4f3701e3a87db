import { defineConfig } from 'vitest/config'
import base from '../../../.config/vitest.ts'

/** The tests of this folder must fail, for `setupFork.test.ts`. */
export default defineConfig({
  ...base,
  test: {
    include: ['test/testing/runs/*.run.ts'],
    hookTimeout: 120_000,
    testTimeout: 120_000,
    maxWorkers: 1,
  },
})
