#!/usr/bin/env node
// Lets forge use npm's solc as if it were the native compiler: `--version`, and standard JSON from input to output.
import { readFileSync } from 'node:fs'

/** The version text of npm's solc. forge asks for it at every start, and loading the compiler to answer would take a second. */
const VERSION = '0.8.37+commit.f401782d'

if (process.argv.includes('--version')) {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${VERSION}.Linux.g++\n`)
} else {
  const { default: solc } = await import('solc')
  if (!solc.version().startsWith(VERSION)) {
    throw new Error(`solc is ${solc.version()}, not ${VERSION}: set VERSION in contracts/solc.mjs`)
  }
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
}
