import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.ts'

const long = mergeConfig(base, defineConfig({ test: { testTimeout: 600_000, hookTimeout: 600_000 } }))
if (long.test !== undefined) {
  long.test.include = ['**/*.long.test.ts']
  long.test.exclude = ['**/node_modules/**', 'dist/**']
}

export default long
