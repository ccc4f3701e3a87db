import type { Reporter, TestModule } from 'vitest/node'

/** Ends a test run with what was skipped and why, and one plain line that any reader of the output can count. */
export const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const count = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state !== 'pending') count[result.state]++
        if (result.state === 'skipped')
          process.stdout.write(
            `SKIP ${test.fullName}: ${result.note?.replace(/^SKIP: /, '') ?? 'no reason given'}\n`,
          )
      }
      // A file that could not be loaded has no tests to count, and has failed all the same.
      if (module.errors().length > 0) count.failed++
    }
    process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`)
  },
}
