import { defineConfig } from 'vitest/config'
import base, { testFilesWith } from './vitest.ts'

const { projects: _, ...test } = base.test ?? {}

// Matches test files that generate more inputs or have more tests in this run, or run another file's tests with the other SDK.
const inMoreRuns = /inject\('(?:generatedInputs|isLong)'\)|\bflippedBits\(|import\('[^']+\.test\.ts'\)/

export default defineConfig({
  ...base,
  test: {
    ...test,
    include: ['**/*.long.test.{ts,tsx}', ...testFilesWith(inMoreRuns, ['src', 'test'])],
    exclude: ['**/node_modules/**', 'dist/**'],
    retry: 0,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    provide: { generatedInputs: 10_000, isLong: true },
  },
})
