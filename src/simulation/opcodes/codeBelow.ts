import type { Hex } from 'viem'
import { askNode, toQuantity, unusableAnswer } from '../../evm/client/askNode.ts'
import type { ChainReadError } from '../../evm/client/chainReadError.ts'
import type { EvmClient } from '../../evm/client/evmClient.ts'
import type { RuleContext } from '../rules/rule.ts'
import { RuleNotJudgedError } from '../rules/ruleNotJudgedError.ts'
import { sameAddress } from '../trace/sameAddress.ts'
import { opcodesIn } from './opcodesIn.ts'

/** The code of a contract that a call came to. */
export type CodeBelow = { address: Hex; code: Hex; opcodes: ReadonlySet<number> }

/**
 * The code of every contract that the target's call comes to, the target's first. USDC with what is behind it, the credits
 * contract and the customer's wallet are left out: they are no part of what is sold.
 *
 * @throws RuleNotJudgedError when it comes to more contracts than are worth reading; ChainReadError
 */
export function codeBelow(context: RuleContext): Promise<readonly CodeBelow[]> {
  const known = read.get(context)
  if (known !== undefined) return known
  const reading = readCodes(context)
  read.set(context, reading)
  return reading
}

/** Several rules look at the same run. */
const read = new WeakMap<RuleContext, Promise<readonly CodeBelow[]>>()

async function readCodes(context: RuleContext): Promise<readonly CodeBelow[]> {
  const { client, redeem } = context
  const addresses = contractsBelow(context)
  if (addresses.length > most)
    throw new RuleNotJudgedError(
      `The call comes to ${addresses.length} contracts; at most ${most} are looked into.`,
    )
  const codes = await Promise.all(addresses.map((address) => codeAt(client, address, redeem.blockNumber)))
  return addresses.flatMap((address, place) => {
    const code = codes[place] ?? '0x'
    return code === '0x' ? [] : [{ address, code, opcodes: opcodesIn(code) }]
  })
}

const most = 100

/** Whether one of them has one of these opcodes. */
export async function hasOpcode(context: RuleContext, wanted: readonly number[]): Promise<boolean> {
  const codes = await codeBelow(context)
  return codes.some(({ opcodes }) => wanted.some((opcode) => opcodes.has(opcode)))
}

function contractsBelow({ call, usdc, creditsContract, redeem }: RuleContext): Hex[] {
  const found = new Set<Hex>()
  const stack = call === undefined ? [] : [call]
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    const { to, type, calls } = frame
    if (to === undefined || [usdc, creditsContract, redeem.wallet].some((other) => sameAddress(to, other)))
      continue
    // an address in lower case still is one
    if (type !== 'SELFDESTRUCT') found.add(to.toLowerCase() as Hex)
    stack.push(...calls)
  }
  return [...found]
}

/** @throws ChainReadError */
export async function codeAt(client: EvmClient, address: Hex, blockNumber: bigint): Promise<Hex> {
  const code = await askNode(client, 'eth_getCode', [address, toQuantity(blockNumber)])
  if (typeof code !== 'string' || !/^0x[0-9a-f]*$/i.test(code)) throw unusableAnswer(code, 'eth_getCode')
  // just checked
  return code as Hex
}

export declare namespace codeBelow {
  type ErrorType = ChainReadError | RuleNotJudgedError
}
