import { getAddress, type Hex, isHex, parseAbiItem, zeroAddress } from 'viem'
import { decodeValues } from '../../../redeemkit/evm/revert/decodeValues.ts'
import { codeAt } from '../opcodes/codeBelow.ts'
import type { CallFrame, RuleFinding } from '../redeemReport.ts'
import { sameAddress } from '../trace/sameAddress.ts'
import { type TokenMove, tokenMoves } from '../trace/tokenMoves.ts'
import type { Judge, RuleContext } from './rule.ts'
import { ruleFinding } from './ruleFinding.ts'

/**
 * `RECEIVER_NOT_CUSTOMER`: of a normal call, the data names an account that is to have something, and it is not the customer. By
 * the address arguments where the function is known, else by words that look like addresses. Or a token goes to such an account,
 * and none to the customer, whatever the data says. A contract is no receiver.
 */
export const receiverNotCustomer: Judge = async (context) => {
  const { redeem, settlement, usdc, creditsContract, frame } = context
  if (redeem.shape !== 'normal') return []
  const given = givenIn(frame)
  if (given.some(({ to }) => sameAddress(to, redeem.wallet))) return []
  const [strayed] = await ofPeople(
    context,
    given.map(({ to }) => to).filter((to) => !sameAddress(to, redeem.relayer)),
  )
  if (strayed !== undefined) return [strayedTo(context, strayed, given)]
  // Also packed among other bytes.
  if (settlement.data.toLowerCase().includes(redeem.wallet.slice(2).toLowerCase())) return []
  const named = addressesIn(context).filter(
    (address) => ![settlement.target, usdc, creditsContract].some((other) => sameAddress(other, address)),
  )
  const receivers = await ofPeople(context, named)
  const [receiver] = receivers
  if (receiver === undefined) return []
  return [
    ruleFinding(
      'warning',
      'RECEIVER_NOT_CUSTOMER',
      `The call data names ${receiver}${receivers.length === 1 ? '' : ` and ${receivers.length - 1} more`}, and not the customer ${redeem.wallet}.`,
    ),
  ]
}

/** Where the tokens are in the end that moved, as the events say. What was burnt is nowhere. */
function givenIn(frame: CallFrame): readonly TokenMove[] {
  const last = new Map<string, TokenMove>()
  for (const move of tokenMoves(frame)) {
    const { contract, standard, id, from, to } = move
    const one = `${contract}/${id}`
    if (standard === 'ERC-1155') last.delete(`${one}/${from}`)
    last.set(standard === 'ERC-1155' ? `${one}/${to}` : one, move)
  }
  return [...last.values()].filter(({ to }) => to !== zeroAddress)
}

function strayedTo({ redeem }: RuleContext, holder: Hex, given: readonly TokenMove[]): RuleFinding {
  const token = given.find(({ to }) => sameAddress(to, holder))
  return ruleFinding(
    'warning',
    'RECEIVER_NOT_CUSTOMER',
    `${token?.standard} token ${token?.id} of ${token?.contract} goes to ${holder}, and none to the customer ${redeem.wallet}.`,
    'Hand the token to the receiver in the call data, and put the customer there, unless this is a gift.',
  )
}

/** Those that are held by a key. */
async function ofPeople({ client, redeem }: RuleContext, accounts: readonly Hex[]): Promise<readonly Hex[]> {
  const asked = [...new Set(accounts)].slice(0, mostAddresses)
  const codes = await Promise.all(asked.map((address) => codeAt(client, address, redeem.blockNumber)))
  // One that delegates by EIP-7702 is a person's.
  return asked.filter((_, place) => codes[place] === '0x' || codes[place]?.startsWith('0xef0100'))
}

/** At most so many are looked up. */
const mostAddresses = 20

function addressesIn({ redeem, settlement }: RuleContext): Hex[] {
  const found = addressArguments(redeem.signature, settlement.data) ?? addressWords(settlement.data)
  return [...new Set(found)].slice(0, mostAddresses)
}

/** @returns `undefined` when the function is not known, or the data does not fit it */
function addressArguments(signature: string | undefined, data: Hex): Hex[] | undefined {
  if (signature === undefined) return undefined
  const item = parseAbiItem(`function ${signature}`) as unknown // its type depends on the text
  const { inputs } = item as { inputs: Parameters<typeof decodeValues>[0] } // it is a function
  try {
    return addressValues(inputs, decodeValues(inputs, data.slice(10)))
  } catch {
    // decodeValues ends at the first byte that does not fit
    return undefined
  }
}

function addressValues(types: Parameters<typeof decodeValues>[0], values: readonly unknown[]): Hex[] {
  return types.flatMap((parameter, place) => {
    const value = values[place]
    const [, item] = /^(.*)\[\d*\]$/.exec(parameter.type) ?? []
    if (item !== undefined && Array.isArray(value))
      return addressValues(
        value.map(() => ({ ...parameter, type: item })),
        value,
      )
    if (parameter.type === 'tuple' && Array.isArray(value))
      return addressValues(parameter.components ?? [], value)
    return parameter.type === 'address' && isHex(value) && BigInt(value) !== 0n ? [value] : []
  })
}

/** Words of 32 bytes with 12 zeros before, and too large for a number of something. */
function addressWords(data: Hex): Hex[] {
  const words = data.slice(10).match(/.{64}/g) ?? []
  return words.flatMap((word) => {
    const value = BigInt(`0x${word}`)
    return value >> 160n === 0n && value >> 120n !== 0n ? [getAddress(`0x${word.slice(24)}`)] : []
  })
}
