import type { Hex } from 'viem'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import { codeAt } from '../readChain.ts'
import type { RuleContext } from './rule.ts'

export const opcodes = {
  origin: 0x32,
  gasPrice: 0x3a,
  extCodeSize: 0x3b,
  extCodeCopy: 0x3c,
  extCodeHash: 0x3f,
  blockHash: 0x40,
  coinbase: 0x41,
  timestamp: 0x42,
  number: 0x43,
  prevRandao: 0x44,
  gasLimit: 0x45,
  baseFee: 0x48,
  gas: 0x5a,
  call: 0xf1,
  callCode: 0xf2,
  delegateCall: 0xf4,
  staticCall: 0xfa,
} as const

/** Returns the opcodes in a contract's code, without push data and compiler metadata. */
export function opcodesIn(code: Hex): ReadonlySet<number> {
  return new Set(instructionsIn(code))
}

function instructionsIn(code: Hex): readonly number[] {
  const bytes = bytesOf(code)
  const end = bytes.length - metadataLength(bytes)
  const before = sweep(bytes, 0, end)
  const after = sweep(bytes, end, bytes.length)
  // Bytes that can be reached are code, even if they look like metadata.
  const isReached = !ends.has(before.at(-1) ?? 0) || after.includes(jumpDestination)
  return isReached ? sweep(bytes, 0, bytes.length) : before
}

function sweep(bytes: Uint8Array, start: number, end: number): number[] {
  const found: number[] = []
  for (let at = start; at < end; at++) {
    const opcode = bytes[at] ?? 0
    found.push(opcode)
    // PUSH1 to PUSH32 are followed by 1 to 32 bytes of data.
    if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f
  }
  return found
}

/** STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT. Only a jump reaches the code after one of these. */
const ends: ReadonlySet<number> = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe, 0xff])
const jumpDestination = 0x5b

/** Solidity and Vyper append a CBOR map or list, and its length in two bytes. */
function metadataLength(bytes: Uint8Array): number {
  const [high = 0, low = 0] = bytes.slice(-2)
  const length = high * 256 + low + 2
  const first = bytes[bytes.length - length] ?? 0
  const isCbor = (first >= 0xa1 && first <= 0xa4) || (first >= 0x81 && first <= 0x85)
  return length > 4 && length < bytes.length && isCbor ? length : 0
}

function bytesOf(code: Hex): Uint8Array {
  return Uint8Array.from(code.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

type CodeBelow = { code: Hex; opcodes: ReadonlySet<number> }

/**
 * Returns the code that the call runs, except that of USDC and its implementation, the credits contract and the customer. `undefined` if
 * there are too many contracts.
 */
function codeBelow(context: RuleContext): Promise<readonly CodeBelow[] | undefined> {
  const known = codesRead.get(context)
  if (known !== undefined) return known
  const reading = readCodes(context)
  codesRead.set(context, reading)
  return reading
}

/** Cached, because several rules read the same run. */
const codesRead = new WeakMap<RuleContext, Promise<readonly CodeBelow[] | undefined>>()

async function readCodes(context: RuleContext): Promise<readonly CodeBelow[] | undefined> {
  const { client, redeem } = context
  const { addresses, made } = contractsBelow(context)
  if (addresses.length + made.length > mostContracts) return undefined
  const codes = await Promise.all(addresses.map((address) => codeAt(client, address, redeem.blockNumber)))
  return [...codes, ...made].flatMap((code) => (code === '0x' ? [] : [{ code, opcodes: opcodesIn(code) }]))
}

const mostContracts = 100

/** Whether the call runs code with one of these opcodes. True if there are too many contracts to read. */
export async function hasOpcode(context: RuleContext, wanted: readonly number[]): Promise<boolean> {
  const codes = await codeBelow(context)
  return codes?.some(({ opcodes }) => wanted.some((opcode) => opcodes.has(opcode))) ?? true
}

/** `addresses` exist already. `made` is the code of constructors and of the contracts that they create. */
function contractsBelow({ call, usdc, creditsContract, redeem }: RuleContext): {
  addresses: readonly Hex[]
  made: readonly Hex[]
} {
  const found = new Set<Hex>()
  const made = new Set<Hex>()
  const stack = call === undefined ? [] : [call]
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    const { to, type, calls, input, output } = frame
    if ([usdc, creditsContract, redeem.wallet].some((other) => sameHex(to, other))) continue
    if (type === 'CREATE' || type === 'CREATE2') {
      made.add(input)
      made.add(output)
    } else if (type !== 'SELFDESTRUCT' && to !== undefined) found.add(to.toLowerCase() as Hex)
    stack.push(...calls)
  }
  return { addresses: [...found], made: [...made] }
}

/**
 * Whether the call runs code that reads the remaining gas, and not only to forward it to a call. True if there are too many contracts to
 * read.
 */
export async function readsGasLeft(context: RuleContext): Promise<boolean> {
  const codes = await codeBelow(context)
  return (
    codes?.some(({ code }) => {
      const found = instructionsIn(code)
      // Compilers emit GAS directly before a call that forwards it.
      return found.some((opcode, place) => opcode === opcodes.gas && !callOpcodes.has(found[place + 1] ?? 0))
    }) ?? true
  )
}

const callOpcodes: ReadonlySet<number> = new Set([
  opcodes.call,
  opcodes.callCode,
  opcodes.delegateCall,
  opcodes.staticCall,
])
