import { statSync } from 'node:fs'
import { Stryker } from '@stryker-mutator/core'

/** Minimum percentage of mutants that the unit tests must detect. It is below 100, because some mutants change no behavior. */
const least: Readonly<Record<string, number>> = {
  'src/redeemkit/redeem': 95,
  'src/redeemkit/evm': 95,
  'src/redeemkit/api': 90,
  'src/redeemkit/auth': 90,
  'src/redeemkit/merchant': 90,
  'src/redeemkit/wagmi': 90,
  'src/sandbox/simulation/rules': 90,
  'src/sandbox/service/redeem': 95,
  'src/sandbox/relayer': 95,
}

/** Mutates a file or folder, runs the unit tests of its part of the package, and lists the mutants that no test detects. */
async function run(path: string): Promise<void> {
  const part = Object.keys(least).find((folder) => `${path}/`.startsWith(`${folder}/`))
  const folder = part ?? path.split('/').slice(0, 3).join('/')
  const share = least[folder] ?? 90
  // `vitest.mutants.ts` reads it.
  process.env.MUTANTS_FOLDER = folder
  await new Stryker({
    mutate: [statSync(path).isDirectory() ? `${path}/**/!(*.test|*.fixture).ts` : path],
    thresholds: { high: 100, low: share, break: share },
    mutator: {
      // A test of a string would only repeat the string. The type checker detects most of the others.
      excludedMutations: [
        'StringLiteral',
        'ObjectLiteral',
        'ArrayDeclaration',
        'ArrowFunction',
        'OptionalChaining',
      ],
    },
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: '.config/vitest.mutants.ts', related: true },
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { logTests: false, reportTests: false },
    allowConsoleColors: false,
    tempDirName: '.stryker',
    // On a busy machine, all related tests take minutes. They all run before the first mutant.
    dryRunTimeoutMinutes: 30,
    timeoutMS: 60_000,
  }).runMutationTest()
}

const paths = process.argv.slice(2).map((path) => path.replace(/\/$/, ''))
for (const path of paths.length > 0 ? paths : Object.keys(least)) await run(path)
