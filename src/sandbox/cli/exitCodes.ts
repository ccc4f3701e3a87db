import type { Command } from 'commander'
import { errorJson, wantsJson } from './printError.ts'

/**
 * Makes a command and its subcommands exit with 2 for invalid usage, and print the error like `printError`. Errors of
 * an action also exit with 2. An action with a negative result sets `process.exitCode` to 1.
 */
export function exitCodes(command: Command, path = 'npx redeemkit'): Command {
  command
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .configureOutput({
      outputError: (text, write) => {
        // Removes user and password from echoed addresses.
        const said = text.replace(/(\w:\/\/)[^\s/@']*@/g, '$1…@')
        const message = said.replace(/^error: /, '').trim()
        const fix = `Run ${path} --help for usage.`
        write(wantsJson() ? `${errorJson({ name: 'UsageError', message, fix })}\n` : `${said}${fix}\n`)
      },
    })
  for (const one of command.commands) exitCodes(one, `${path} ${one.name()}`)
  return command
}

export const exitCodeHelp = (answers: string) => `
Exit codes:
  0  ${answers}
  2  failure: invalid input, no running sandbox, or the sandbox rejected the request
With --json, an error is one JSON object on standard error: {"error":{"name","message","fix",…}}`
