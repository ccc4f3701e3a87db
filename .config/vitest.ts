import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { entryPoints } from './entryPoints.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** How many inputs a property test generates: 500 in `npm test`, 10,000 in `npm run test:long`. */
    generatedInputs: number
    /** Whether this is `npm run test:long`, which also runs variations of other tests. */
    isLong: boolean
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
 * Test files that cannot share a process: they replace or reload modules, count mistakes that a process reports only once, import
 * `drizzle-kit`, which extends `Array.prototype`, or open a WebSocket of `@solana/web3.js`, which reconnects forever.
 */
const isolated = testFilesWith(
  /\bvi\.(mock|doMock|resetModules)\b|'drizzle-kit|\/reportMistake\.ts'|confirmTransaction|wsEndpoint/,
  folders,
)
const inDom = testFilesWith(/@vitest-environment/, folders)

const common = {
  retry: 0,
  testTimeout: 180_000,
  hookTimeout: 120_000,
  provide: { generatedInputs: 500, isLong: false },
}
const notHere = ['**/*.long.test.{ts,tsx}', '**/node_modules/**']

/**
 * Returns a project whose files share processes. Services, units and components have separate processes, because a service's HTTP server
 * replaces the global `Response`. The groups run one after another, because a process runs files of one project only.
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
    setupFiles: `${root}.config/cleanProcess.ts`,
    sequence: { groupOrder },
  },
})

/** Ends a test run with the skipped tests, their reasons, and one line with the counts. */
const closingLine: Reporter = {
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

/** Whether the setup of the test's file or `describe` failed, so that the test could not run. */
function isBroken(test: TestCase): boolean {
  let parent = test.parent
  while (parent.errors().length === 0) {
    if (parent.type === 'module') return false
    parent = parent.parent
  }
  return true
}

export default defineConfig({
  root,
  resolve,
  test: {
    globalSetup: [`${root}test/postgres/globalSetup.ts`],
    // One more than CI has cores, because many tests wait for a block, a timer or a process.
    maxWorkers: 3,
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
      // These files share processes: loading viem, zod and the chains' SDKs for each file would take longer than its tests.
      shared('services', 1, ['{test,examples}/**/*.test.{ts,tsx}'], inDom),
      shared('units', 2, ['src/**/*.test.{ts,tsx}'], inDom),
      shared('components', 3, inDom),
    ],
  },
})

/** Returns the test files whose text matches a pattern, relative to the repository's root. */
export function testFilesWith(pattern: RegExp, folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file.replaceAll('\\', '/')}`,
      ),
    )
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('/node_modules/'))
    .filter((file) => pattern.test(readFileSync(`${root}${file}`, 'utf8')))
}
