import type { Hex } from 'viem'
import type { ChainReadError, EvmClient } from '../../../redeemkit/evm/client.ts'
import { askNode, toQuantity, unusableAnswer } from '../../../redeemkit/evm/client.ts'
import type { RuleContext } from '../rules/rule.ts'
import { sameAddress } from '../trace/sameAddress.ts'
import { opcodesIn } from './opcodesIn.ts'

/** The code of a contract that a call came to. */
export type CodeBelow = { code: Hex; opcodes: ReadonlySet<number> }

/**
 * The code of every contract that the target's call comes to, and of those that it makes. USDC with what is behind it, the
 * credits contract and the customer's wallet are left out: they are no part of what is sold.
 *
 * @returns `undefined` when it comes to more contracts than are worth reading
 * @throws ChainReadError
 */
export function codeBelow(context: RuleContext): Promise<readonly CodeBelow[] | undefined> {
  const known = read.get(context)
  if (known !== undefined) return known
  const reading = readCodes(context)
  read.set(context, reading)
  return reading
}

/** Several rules look at the same run. */
const read = new WeakMap<RuleContext, Promise<readonly CodeBelow[] | undefined>>()

async function readCodes(context: RuleContext): Promise<readonly CodeBelow[] | undefined> {
  const { client, redeem } = context
  const { addresses, made } = contractsBelow(context)
  if (addresses.length + made.length > most) return undefined
  const codes = await Promise.all(addresses.map((address) => codeAt(client, address, redeem.blockNumber)))
  return [...codes, ...made].flatMap((code) => (code === '0x' ? [] : [{ code, opcodes: opcodesIn(code) }]))
}

const most = 100

/** Whether one of them has one of these opcodes, as is taken for granted where there are too many to be read. */
export async function hasOpcode(context: RuleContext, wanted: readonly number[]): Promise<boolean> {
  const codes = await codeBelow(context)
  return codes?.some(({ opcodes }) => wanted.some((opcode) => opcodes.has(opcode))) ?? true
}

/** Contracts that are there, and the code of those that are made meanwhile: of the constructor, and what is left of it. */
function contractsBelow({ call, usdc, creditsContract, redeem }: RuleContext): {
  addresses: readonly Hex[]
  made: readonly Hex[]
} {
  const found = new Set<Hex>()
  const made = new Set<Hex>()
  const stack = call === undefined ? [] : [call]
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    const { to, type, calls, input, output } = frame
    if ([usdc, creditsContract, redeem.wallet].some((other) => sameAddress(to, other))) continue
    if (type === 'CREATE' || type === 'CREATE2') {
      made.add(input)
      made.add(output)
      // an address in lower case still is one
    } else if (type !== 'SELFDESTRUCT' && to !== undefined) found.add(to.toLowerCase() as Hex)
    stack.push(...calls)
  }
  return { addresses: [...found], made: [...made] }
}

/** @throws ChainReadError */
export async function codeAt(client: EvmClient, address: Hex, blockNumber: bigint): Promise<Hex> {
  const code = await askNode(client, 'eth_getCode', [address, toQuantity(blockNumber)])
  if (typeof code !== 'string' || !/^0x[0-9a-f]*$/i.test(code)) throw unusableAnswer(code, 'eth_getCode')
  // just checked
  return code as Hex
}

export declare namespace codeBelow {
  type ErrorType = ChainReadError
}
