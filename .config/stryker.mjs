export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: '.config/vitest.mutants.ts', related: true },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  // Texts are for people: a test of each of them would only repeat it.
  mutator: { excludedMutations: ['StringLiteral'] },
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, reportTests: false },
  allowConsoleColors: false,
  tempDirName: '.stryker',
  timeoutMS: 5_000,
  // The first run of all related tests takes longer than the default of 5 minutes on a busy machine.
  dryRunTimeoutMinutes: 30,
}
