import type { Command } from 'commander'

/**
 * A command whose own answer is 0 or 1: it ends with 2 when it could not do what was asked, be it that its options do not fit, that
 * no sandbox runs, or that the service refused.
 *
 * The action sets `process.exitCode` once it has its answer.
 */
export function exitCodes(command: Command): Command {
  return command
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .hook('preAction', () => {
      process.exitCode = 2
    })
}

/** For the help of such a command. */
export const exitCodeHelp = (one: string) => `
Exit codes:
  0  ${one}
  2  it could not be done: the input does not fit, no sandbox runs, or it refused`
