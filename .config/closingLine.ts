import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Ends a test run with what was skipped and why, and one plain line with the counts. */
export const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]) {
    // An error outside of a test, such as a test process that ended, fails the run.
    const count = { passed: 0, failed: unhandled.length, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state !== 'pending') count[result.state]++
        if (result.state === 'skipped') {
          const reason =
            result.note?.replace(/^SKIP: /, '') ?? (isBroken(test) ? setUpFailed : 'no reason given')
          process.stdout.write(`SKIP ${test.fullName}: ${reason}\n`)
        }
      }
      // A file that could not be loaded has no tests to count, but it has failed.
      if (module.errors().length > 0) count.failed++
    }
    process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`)
  },
}

const setUpFailed = 'its beforeAll hook failed, see the errors above'

/** Whether the file or a `describe` around the test has failed before the test could run. */
function isBroken(test: TestCase): boolean {
  let parent = test.parent
  while (parent.errors().length === 0) {
    if (parent.type === 'module') return false
    parent = parent.parent
  }
  return true
}
