#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { preparePglite } from '../store/pgliteThread.ts'

const [command = '', ...options] = process.argv.slice(2)
const hasServer =
  process.env.DATABASE_URL !== undefined || options.some((option) => option.startsWith('--database-url'))
if (command === 'demo' || (command === 'sandbox' && !hasServer)) {
  // Without this flag, V8 spends 500 ms of each start on optimizing PGlite, which does not make its statements faster.
  setFlagsFromString('--wasm-tiering-budget=2000000000')
  // The database's thread starts while this thread loads the command.
  preparePglite()
}
const { createCommand } = await import('./createCommand.ts')
const { printError } = await import('./printError.ts')
try {
  await createCommand().parseAsync()
} catch (error) {
  printError(error)
  // A signal handler may have set the exit code already.
  process.exitCode ??= 2
}
