#!/usr/bin/env node
// Writes dist/redeemkit/contracts, the Solidity part of the package `redeemkit`: our sources, the base of merchants' suites, and their
// imports. The files import one another by relative paths, so that a suite needs one remapping. Run by `npm run build`.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const from = join(root, 'contracts')
const to = join(root, 'dist/redeemkit/contracts')
const library = join(root, 'node_modules/@openzeppelin/contracts')

const ours = [
  ...readdirSync(join(from, 'src')).map((file) => `src/${file}`),
  'test/RedeemTest.sol',
  ...readdirSync(join(from, 'test/redeem')).map((file) => `test/redeem/${file}`),
  'test/mocks/MockUsdc.sol',
]

const importStatement = /^import\s[^;]*?"([^"]+)";\n?/gm
const prefix = '@openzeppelin/contracts/'

/** Files of OpenZeppelin that our sources need, each after its own imports: path → text. */
const needed = new Map()

function need(path) {
  if (needed.has(path)) return
  const text = readFileSync(join(library, path), 'utf8')
  for (const [, imported] of text.matchAll(importStatement)) need(join(dirname(path), imported))
  needed.set(path, text)
}

/** Interfaces are in a separate file, so that a suite that needs only interfaces compiles nothing else. */
function isInterface(path) {
  const text = needed.get(path)
  return (
    !/^(abstract contract|contract|library) /m.test(text) &&
    [...text.matchAll(importStatement)].every(([, imported]) => isInterface(join(dirname(path), imported)))
  )
}

const fileOf = (path) => (isInterface(path) ? 'interfaces.sol' : 'contracts.sol')

/** Removes comments, which are four fifths of the text. */
function withoutComments(text) {
  return text
    .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (found) =>
      found.startsWith('/') ? '' : found,
    )
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
    .trim()
}

function merged(file) {
  const { version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
  const parts = [...needed]
    .filter(([path]) => fileOf(path) === file)
    .map(([path, text]) => {
      const code = withoutComments(text.replace(importStatement, '').replace(/^pragma [^;]*;/m, ''))
      return code === '' ? '' : `// ${path}\n${code}\n`
    })
  const head = `// SPDX-License-Identifier: MIT
// OpenZeppelin Contracts ${version}, see LICENSE. The files that redeemkit uses, unchanged except for comments and imports.
pragma solidity ^0.8.24;
`
  const imports = file === 'interfaces.sol' ? [] : ['import "./interfaces.sol";\n']
  return [head, ...imports, ...parts.filter((part) => part !== '')].join('\n')
}

/** OpenZeppelin's package has no license file. Its license is the same as ours, except for the copyright. */
function license() {
  const ours = readFileSync(join(root, 'LICENSE'), 'utf8')
  const theirs = ours.replace(/^Copyright .*$/m, 'Copyright (c) 2016-2025 Zeppelin Group Ltd')
  if (theirs === ours) throw new Error('LICENSE has no copyright line: see contracts/package.mjs')
  return theirs
}

function writePackage() {
  const texts = new Map(ours.map((path) => [path, readFileSync(join(from, path), 'utf8')]))
  for (const text of texts.values())
    for (const [, imported] of text.matchAll(importStatement))
      if (imported.startsWith(prefix)) need(imported.slice(prefix.length))

  rmSync(to, { recursive: true, force: true })
  mkdirSync(join(to, 'openzeppelin'), { recursive: true })
  for (const [path, text] of texts) {
    mkdirSync(join(to, dirname(path)), { recursive: true })
    const up = relative(dirname(path), 'openzeppelin')
    const rewritten = text.replace(importStatement, (statement, imported) =>
      imported.startsWith(prefix)
        ? statement.replace(imported, `${up}/${fileOf(imported.slice(prefix.length))}`)
        : statement,
    )
    writeFileSync(join(to, path), rewritten)
  }
  for (const file of ['interfaces.sol', 'contracts.sol'])
    writeFileSync(join(to, 'openzeppelin', file), merged(file))
  writeFileSync(join(to, 'openzeppelin/LICENSE'), license())
}

writePackage()
