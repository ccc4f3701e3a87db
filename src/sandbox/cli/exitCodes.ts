import type { Command } from 'commander'
import { errorJson, wantsJson } from './printError.ts'

/**
 * Lets a command and all below it end with 2 when its words do not fit, and say so as `printError` does. What an action throws ends
 * with 2, too; an action whose own answer is no sets `process.exitCode` to 1.
 */
export function exitCodes(command: Command, path = 'npx redeemkit'): Command {
  command
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .configureOutput({
      outputError: (text, write) => {
        // What was typed is said again, but for the user and password in an address.
        const said = text.replace(/(\w:\/\/)[^\s/@']*@/g, '$1…@')
        const message = said.replace(/^error: /, '').trim()
        const fix = `${path} --help says what it takes.`
        write(wantsJson() ? `${errorJson({ name: 'UsageError', message, fix })}\n` : `${said}${fix}\n`)
      },
    })
  for (const one of command.commands) exitCodes(one, `${path} ${one.name()}`)
  return command
}

/** For the help of a command that answers yes or no, or only does what is asked. */
export const exitCodeHelp = (answers: string) => `
Exit codes:
  0  ${answers}
  2  it could not be done: the input does not fit, no sandbox runs, or it refused
With --json, what could not be done is one JSON object on standard error: {"error":{"name","message","fix",…}}`
