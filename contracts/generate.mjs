#!/usr/bin/env node
// Builds the contracts and writes generated files: ABI and bytecode for TypeScript to contracts/generated, compiled code for
// merchants' suites, and the texts and numbers that `RedeemTest` takes from TypeScript. `--check` only compares.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { tsImport } from 'tsx/esm/api'
import { toFunctionSignature } from 'viem'
import { forgePath } from './forge.mjs'

const FILES = {
  'Credits.ts': ['Credits'],
  'BridgeAdapter.ts': ['BridgeAdapter'],
  'PaymentSettlement.ts': ['PaymentSettlement'],
  'RedeemProbe.ts': ['RedeemProbe'],
  'CustomerEscrow.ts': ['CustomerEscrow'],
  'MockUsdc.ts': ['MockUsdc'],
  'randomNonce.ts': ['RandomNonceCredits', 'RandomNoncePaymentSettlement'],
  'merchants.ts': [
    'NormalMerchant',
    'SafeMintMerchant721',
    'SafeMintMerchant1155',
    'ReturnedMerchant',
    'KnownTokenIdMerchant',
    'DecentMerchant',
  ],
  'smartWallets.ts': ['SmartWallet', 'SmartWalletFactory'],
}

/** Contracts whose ABI is not written, because it equals that of a contract above. */
const WITHOUT_ABI = ['RandomNonceCredits', 'RandomNoncePaymentSettlement']

/** Contracts whose deployed code is written too, for state overrides. They must not have immutables, which only a constructor sets. */
const PUT_AT_AN_ADDRESS = ['RedeemProbe']

/** Errors of `Credits` that pages do not decode, because a redeem or a cancellation cannot cause them. */
const OTHER_ERRORS = [
  'AccessControlBadConfirmation',
  'AccessControlEnforcedDefaultAdminDelay',
  'AccessControlEnforcedDefaultAdminRules',
  'AccessControlInvalidDefaultAdmin',
  'AccessControlUnauthorizedAccount',
  'AuthorizationNotUsed',
  'ExitNotOpen',
  'ExpectedPause',
  'InvalidBurnSignature',
  'InsufficientSurplus',
  'InvalidEarlyAuthorization',
  'InvalidShortString',
  'MinimumGasOutOfBounds',
  'NotHeld',
  'PauseAlreadyOver',
  'RandomNonceRequired',
  'StringTooLong',
  'UnsupportedChain',
]

/** Errors of `BridgeAdapter` that a redeem can cause. */
const BRIDGE_ERRORS = ['UnknownRoute', 'CostNotCovered']

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}contracts/generated`

const pageErrors = `${root}src/redeemkit/evm/revert/contractErrors.ts`

/** Compiled code as Solidity, so that a merchant who uses `RedeemTest` does not compile the contracts. */
const testCode = `${root}contracts/test/redeem/RedeemTestCode.sol`

/** Sources of `RedeemTest` with values from TypeScript: the fix for each economic rule, known errors, addresses of USDC, a limit. */
const ruleTexts = `${root}contracts/test/redeem/RedeemTexts.sol`
const stage = `${root}contracts/test/redeem/RedeemStage.sol`
const { notForwardedFix, ruleCatalogue } = await tsImport(
  '../src/sandbox/simulation/rules/ruleCatalogue.ts',
  import.meta.url,
)
const { creditsErrorOf } = await tsImport('../src/redeemkit/evm/revert/creditsErrors.ts', import.meta.url)
const { evmNetworks } = await tsImport('../src/redeemkit/core/evmNetworks.ts', import.meta.url)
const { defaultMinimumGas } = await tsImport('../src/redeemkit/core/limits.ts', import.meta.url)

async function ruleTextsText() {
  const branches = ruleCatalogue
    .filter(({ judgedBy }) => judgedBy === 'economic')
    .map(({ code, fix }) => `if (rule == keccak256("${code}")) {\nreturn ${JSON.stringify(fix)};\n}`)
  return replaceParts(ruleTexts, [
    [/(bytes32 rule = keccak256\(bytes\(code\)\);)[\s\S]*?(?=revert UnknownRedeemRule)/, branches.join('\n')],
    [/(ERRORS =\s*)"[^"]*"/, JSON.stringify(await knownErrors())],
    [/(TOO_MANY_TOKENS =\s*)"[^"]*"/, JSON.stringify(creditsErrorOf('TooManyTokens').fix)],
    [/(NOT_FORWARDED =\s*)"[^"]*"/, JSON.stringify(notForwardedFix)],
  ])
}

function stageText() {
  const addresses = evmNetworks
    .filter(({ usdc }) => usdc)
    .map(({ chainId, usdc }) => `if (block.chainid == ${separated(chainId)}) return ${usdc.address};`)
  return replaceParts(stage, [
    [/(MINIMUM_GAS = )\w+/, separated(defaultMinimumGas)],
    [/(function redeemUsdcAddress\(\)[^{]*\{)[\s\S]*?(?=return address\(0\))/, addresses.join('\n')],
  ])
}

/** Keeps the first capture group of each match, replaces the rest, and formats the file with forge. */
function replaceParts(path, parts) {
  let text = readFileSync(path, 'utf8')
  for (const [pattern, part] of parts) {
    if (!pattern.test(text))
      throw new Error(`${path} has no match for ${pattern}: change the pattern in contracts/generate.mjs.`)
    text = text.replace(pattern, (_, head) => `${head}${part}`)
  }
  return execFileSync(forgePath(), ['fmt', '--raw', '-'], { cwd: root, input: text, encoding: 'utf8' })
}

/** 84532 → 84_532. Numbers of four digits stay unchanged. */
function separated(number) {
  return number < 10_000 ? `${number}` : number.toLocaleString('en-US').replaceAll(',', '_')
}

/** Returns the errors of fixed size, each as `Name(type,type);`, including those of the generated ABIs. */
async function knownErrors() {
  const { abiIndex } = await tsImport('../src/sandbox/simulation/abi/abiIndex.ts', import.meta.url)
  const signatures = [...abiIndex([]).errors.values()].flat().map(toFunctionSignature)
  const fixed = signatures.filter((signature) => !/string|bytes[,)]|\[|\(.*\(/.test(signature))
  return [...new Set(fixed)].map((signature) => `${signature};`).join('')
}

/** Builds the contracts, and returns the files of `contracts/generated`: file name → text. */
export function generate() {
  execFileSync(forgePath(), ['build', '--offline', '--quiet'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return new Map(Object.entries(FILES).map(([file, contracts]) => [file, textOf(contracts)]))
}

function testCodeText() {
  return `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

// Generated by contracts/generate.mjs. Do not edit.

/// @title Compiled code, so that a merchant's tests need neither compile nor install its dependencies
library RedeemTestCode {
    /// @notice Creation code of \`Credits\`, to be followed by the arguments of its constructor.
    function credits() internal pure returns (bytes memory) {
        return hex"${artifactOf('Credits').bytecode.object.slice(2)}";
    }

    /// @notice Code of \`MockUsdc\`, as deployed at an address.
    function mockUsdc() internal pure returns (bytes memory) {
        return hex"${artifactOf('MockUsdc').deployedBytecode.object.slice(2)}";
    }
}
`
}

function pageErrorsText() {
  const all = [...errorsOf('Credits'), ...errorsOf('BridgeAdapter')].map(({ name }) => name)
  for (const name of [...OTHER_ERRORS, ...BRIDGE_ERRORS])
    if (!all.includes(name))
      throw new Error(`No contract has the error ${name}: remove it from contracts/generate.mjs.`)
  const errors = [
    ...errorsOf('Credits').filter(({ name }) => !OTHER_ERRORS.includes(name)),
    ...errorsOf('BridgeAdapter').filter(({ name }) => BRIDGE_ERRORS.includes(name)),
  ]
  const lines = errors.map(
    ({ name, inputs }) => `  '${name}(${inputs.map((input) => `${input.type} ${input.name}`).join(',')})',`,
  )
  return `// Generated by contracts/generate.mjs. Do not edit.
export const contractErrors: readonly string[] = [\n${lines.join('\n')}\n]\n`
}

const errorsOf = (name) => artifactOf(name).abi.filter(({ type }) => type === 'error')

/** A file may declare several contracts. */
function artifactOf(name) {
  const out = `${root}contracts/out`
  const file = readdirSync(out).find((place) => existsSync(`${out}/${place}/${name}.json`))
  return JSON.parse(readFileSync(`${out}/${file}/${name}.json`, 'utf8'))
}

function textOf(contracts) {
  return `${['// Generated by contracts/generate.mjs. Do not edit.', ...contracts.flatMap(constantsOf)].join('\n\n')}\n`
}

function constantsOf(name) {
  const artifact = artifactOf(name)
  const variable = camelCase(name)
  const lines = []
  if (!WITHOUT_ABI.includes(name))
    lines.push(`export const ${variable}Abi = [\n${abiLines(artifact.abi)}\n] as const`)
  const bytecode = artifact.bytecode.object
  if (bytecode !== '0x') {
    lines.push(`export const ${variable}Bytecode = '${bytecode}' as const`)
    if (PUT_AT_AN_ADDRESS.includes(name))
      lines.push(`export const ${variable}DeployedBytecode = '${artifact.deployedBytecode.object}' as const`)
  }
  return lines
}

function abiLines(abi) {
  return abi.map((entry) => `  ${JSON.stringify(entry)},`).join('\n')
}

/** `ICredits` → `iCredits`, `MockUsdc` → `mockUsdc`. */
function camelCase(name) {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

export async function stale() {
  const wanted = generate()
  const present = new Set(readdirSync(folder))
  const differing = [...wanted].filter(
    ([file, text]) => !present.has(file) || readFileSync(`${folder}/${file}`, 'utf8') !== text,
  )
  const foreign = [...present].filter((file) => !wanted.has(file))
  const others = [
    [testCode, testCodeText()],
    [ruleTexts, await ruleTextsText()],
    [stage, stageText()],
    [pageErrors, pageErrorsText()],
  ].filter(([path, text]) => readFileSync(path, 'utf8') !== text)
  return [...differing.map(([file]) => file), ...foreign, ...others.map(([path]) => path.slice(root.length))]
}

async function write() {
  // These files are written first, because the build compiles them.
  writeFileSync(ruleTexts, await ruleTextsText())
  writeFileSync(stage, stageText())
  const wanted = generate()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of wanted) writeFileSync(`${folder}/${file}`, text)
  writeFileSync(testCode, testCodeText())
  writeFileSync(pageErrors, pageErrorsText())
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const files = await stale()
    if (files.length > 0) {
      process.stderr.write(
        `Generated files differ from the contracts: ${files.join(', ')}. Run: node contracts/generate.mjs\n`,
      )
      process.exitCode = 1
    }
  } else await write()
}
