import type { Command } from 'commander'
import { errorJson, wantsJson } from './printError.ts'

/** Exits with 2 for invalid usage and for thrown errors. For a negative result, an action sets `process.exitCode` to 1. */
export function exitCodes(command: Command, path = 'npx redeemkit'): Command {
  command
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .configureOutput({
      outputError: (text, write) => {
        // Removes user and password from URLs that commander repeats in its message.
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
