#!/usr/bin/env node
// Lets forge use npm's solc as if it were the native compiler: `--version`, and standard JSON from input to output.
import { readFileSync } from 'node:fs'
import solc from 'solc'

if (process.argv.includes('--version')) {
  const version = solc.version().replace('.Emscripten.clang', '.Linux.g++')
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`)
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
}
