import { getAddress, type Hex, isHex, parseAbiItem, zeroAddress } from 'viem'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import { decodeValues } from '../../../redeemkit/evm/revert/decodeValues.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import { codeAt } from '../readChain.ts'
import type { CallFrame, RuleFinding } from '../redeemReport.ts'
import { isRead, wordsOf } from '../trace/frames.ts'
import { type TokenMove, tokenMoves } from '../trace/moves.ts'
import { hasOpcode, opcodes } from './opcodes.ts'
import { differenceOf, outcomeOf, storedIn } from './outcome.ts'
import {
  brokenRule,
  danger,
  type Judge,
  type RuleContext,
  RuleNotJudgedError,
  ruleFinding,
  warning,
} from './rule.ts'
import { leftBehindOf } from './staysBehind.ts'

/**
 * `RECEIVER_NOT_CUSTOMER` for a normal redeem: a token goes to another account and none to the customer, or the call data names another
 * account and not the customer. Contracts are ignored. If the function is unknown, words that look like addresses are checked.
 */
export const receiverNotCustomer: Judge = async (context) => {
  const { redeem, settlement, usdc, creditsContract, frame } = context
  if (redeem.shape !== 'normal') return []
  const given = givenIn(frame)
  if (given.some(({ to }) => sameHex(to, redeem.wallet))) return []
  const [strayed] = await keyControlled(
    context,
    given.map(({ to }) => to).filter((to) => !sameHex(to, redeem.relayer)),
  )
  if (strayed !== undefined) return [strayedTo(context, strayed, given)]
  // Finds the customer in packed encodings too.
  if (settlement.data.toLowerCase().includes(redeem.wallet.slice(2).toLowerCase())) return []
  const named = addressesIn(context).filter(
    (address) => ![settlement.target, usdc, creditsContract].some((other) => sameHex(other, address)),
  )
  const receivers = await keyControlled(context, named)
  const [receiver] = receivers
  if (receiver === undefined) return []
  return warning(
    'RECEIVER_NOT_CUSTOMER',
    `The call data names ${receiver}${receivers.length === 1 ? '' : ` and ${receivers.length - 1} more`}, but not the customer ${redeem.wallet}.`,
  )
}

/** Returns the last transfer of each token, except burns. */
function givenIn(frame: CallFrame): readonly TokenMove[] {
  const last = new Map<string, TokenMove>()
  for (const move of tokenMoves(frame)) {
    const { contract, standard, id, from, to } = move
    const one = `${contract}/${id}`
    last.delete(`${one}/${from}`)
    last.set(standard === 'ERC-1155' ? `${one}/${to}` : one, move)
  }
  return [...last.values()].filter(({ to }) => to !== zeroAddress)
}

function strayedTo({ redeem }: RuleContext, holder: Hex, given: readonly TokenMove[]): RuleFinding {
  const token = given.find(({ to }) => sameHex(to, holder))
  return ruleFinding(
    'warning',
    'RECEIVER_NOT_CUSTOMER',
    `${token?.standard} token ${token?.id} of ${token?.contract} goes to ${holder}, and none to the customer ${redeem.wallet}.`,
    'Transfer the token to the receiver in the call data, and pass the customer as receiver, unless this is a gift.',
  )
}

async function keyControlled(
  { client, redeem }: RuleContext,
  accounts: readonly Hex[],
): Promise<readonly Hex[]> {
  const asked = [...new Set(accounts)].slice(0, mostAddresses)
  const codes = await Promise.all(asked.map((address) => codeAt(client, address, redeem.blockNumber)))
  // A key controls an account with an EIP-7702 delegation, so it counts as a receiver.
  return asked.filter((_, place) => codes[place] === '0x' || codes[place]?.startsWith('0xef0100'))
}

/** Limited, because each address costs a read. */
const mostAddresses = 20

function addressesIn({ redeem, settlement }: RuleContext): Hex[] {
  const found = addressArguments(redeem.signature, settlement.data) ?? addressWords(settlement.data)
  return [...new Set(found)].slice(0, mostAddresses)
}

/** @returns `undefined` if the function is unknown or the data does not decode */
function addressArguments(signature: string | undefined, data: Hex): Hex[] | undefined {
  if (signature === undefined) return undefined
  const item = parseAbiItem(`function ${signature}`) as unknown // the type depends on the text
  const { inputs } = item as { inputs: Parameters<typeof decodeValues>[0] } // the item is a function
  return attempt(() => addressValues(inputs, decodeValues(inputs, data.slice(10))))
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

/** Returns the addresses in words that look like addresses: they begin with 12 zero bytes and are too large for a typical number. */
function addressWords(data: Hex): Hex[] {
  return wordsOf(data).flatMap((word) => {
    const value = BigInt(`0x${word}`)
    return value >> 160n === 0n && value >> 120n !== 0n ? [getAddress(`0x${word.slice(24)}`)] : []
  })
}

/**
 * `RECEIVER_NOT_CUSTOMER` for a normal call: a contract stores msg.sender, which is the credits contract, as an owner. If the call
 * data names the customer, this is reported only if nothing is stored for the customer.
 */
export const payerKept: Judge = async (context) => {
  const { call, execution, redeem, settlement, frame, creditsContract } = context
  if (redeem.shape !== 'normal' || call === undefined || !execution.succeeded) return []
  if (tokenMoves(frame).some(({ to }) => sameHex(to, redeem.wallet))) return []
  // Another rule reports tokens that stay behind.
  if (leftBehindOf(context).length > 0) return []
  const stored = await storedIn(context)
  const kept = stored.of(creditsContract)
  if (kept === undefined) return []
  const found = `${getAddress(kept.address)} stores msg.sender, the credits contract`
  if (!settlement.data.toLowerCase().includes(redeem.wallet.slice(2).toLowerCase()))
    return brokenRule(
      (stored.isOnlyUnder(creditsContract) || settlement.data.length <= 10) &&
        !mentionsIds(call, settlement.data)
        ? 'danger'
        : 'warning',
      'RECEIVER_NOT_CUSTOMER',
      `The call data does not name the customer, and ${found}: the customer cannot claim what it holds for msg.sender.`,
      "Take the receiver as a parameter, and put the customer's address into the call data, unless other call data identifies the receiver.",
    )
  if (stored.of(redeem.wallet) !== undefined) return []
  return brokenRule(
    mentions(call, redeem.wallet) ? 'warning' : 'danger',
    'RECEIVER_NOT_CUSTOMER',
    `The call data names the customer, but ${found}, and nothing for the customer.`,
    'Deliver to the receiver in the call data, not to msg.sender.',
  )
}

/**
 * Whether an event contains a word of the call data that is too large for a number. Such a word may be an id that identifies the customer
 * elsewhere.
 */
const mentionsIds = (call: CallFrame, data: Hex) =>
  wordsOf(data).some((word) => BigInt(`0x${word}`) >> 120n !== 0n && mentions(call, `0x${word}`))

function mentions({ logs, calls }: CallFrame, account: Hex): boolean {
  const digits = account.slice(2).toLowerCase()
  return (
    logs.some(({ topics, data }) => [...topics, data].some((word) => word.toLowerCase().includes(digits))) ||
    calls.some((inner) => mentions(inner, account))
  )
}

/**
 * `RECEIVER_NOT_CUSTOMER`: for a wallet without code, money or tokens go elsewhere. If this run fails, it proves nothing, because it
 * bypasses the credits contract.
 */
export const readsWalletCode: Judge = async (context) => {
  const { call, execution, redeem, client } = context
  if (redeem.signatures !== 'assumed' || !execution.succeeded || call === undefined) return []
  if (!(await hasOpcode(context, looks))) return []
  if ((await codeAt(client, redeem.wallet, redeem.blockNumber)) !== '0x') return []
  if (isRead(call, context.creditsContract))
    throw new RuleNotJudgedError(
      'The contract calls the credits contract, whose code is replaced in a run without wallet code.',
    )
  const { succeeded, frame } = await context.callAlone()
  const difference = succeeded && differenceOf(seenIn(context, call), seenIn(context, frame))
  if (!difference) return []
  return danger(
    'RECEIVER_NOT_CUSTOMER',
    `For a customer whose wallet has no code, ${difference}. This run simulated the wallet with code, because nothing was signed.`,
    'Treat every receiver the same, with or without code at its address.',
  )
}

const looks = [opcodes.extCodeSize, opcodes.extCodeCopy, opcodes.extCodeHash]

const seenIn = (context: RuleContext, call: NonNullable<RuleContext['call']>) =>
  outcomeOf(context, { frame: call, call })
