#!/usr/bin/env node
import { createCommand } from './createCommand.ts'
import { printError } from './printError.ts'

try {
  await createCommand().parseAsync()
} catch (error) {
  printError(error)
  // A signal may have set the exit code.
  process.exitCode ??= 2
}
