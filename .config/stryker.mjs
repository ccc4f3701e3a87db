// Changes one thing in the source at a time, runs the unit tests, and lists what they do not notice.
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: '.config/vitest.mutants.ts', related: true },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  mutate: [
    'src/redeemkit/{redeem,evm,api,auth,merchant,wagmi}/**/!(*.test|*.fixture).ts',
    'src/sandbox/{simulation/rules,service/redeem,relayer}/**/!(*.test|*.fixture).ts',
  ],
  // Texts are for people: a test of each of them would only repeat it.
  mutator: { excludedMutations: ['StringLiteral'] },
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  tempDirName: '.stryker',
  timeoutMS: 20_000,
  // The first run of all related tests takes longer than the default of 5 minutes on a busy machine.
  dryRunTimeoutMinutes: 30,
}
