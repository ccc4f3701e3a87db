import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { showText } from '../../core/errors/showValue.ts'
import { approvalFinding, finding } from '../../core/finding/finding.ts'
import type { Effect } from '../../core/inspection/effect.ts'
import type { InspectionValue } from '../../core/inspection/inspection.ts'
import { fieldLine, line, sentenceValue, textValue } from '../../core/inspection/values.ts'
import type { Invocation } from '../envelope/authEntry.ts'
import { Address, Asset, scValToBigInt, xdr } from '../sdk.ts'
import { hexOf, showName } from '../values.ts'
import { accountValue, isOwn, moveOf, type Place, stellarEffect, stellarSentence } from './stellarValues.ts'

/** Describes a call and its sub-invocations, outermost first. */
export function describeCalls(call: Invocation, place: Place): Effect[] {
  return [describeCall(call, place), ...call.subInvocations.flatMap((inner) => describeCalls(inner, place))]
}

type Value = string | bigint | number
type Reader = (values: readonly Value[], call: Invocation, place: Place) => Effect

/**
 * The token functions (SEP-41, CAP-46-6) that wallets are asked to sign, with the types of their arguments: `a` is an address, `i` an i128
 * and `u` a u32. As on other chains, a contract with one of these functions is described as a token.
 */
const functions: Readonly<Record<string, readonly [types: string, read: Reader]>> = {
  transfer: ['aai', transfer],
  transfer_from: ['aaai', ([, ...values], call, place) => transfer(values, call, place)],
  approve: ['aaiu', approval],
  burn: ['ai', burn],
  burn_from: ['aai', ([, ...values], call, place) => burn(values, call, place)],
}

function describeCall(call: Invocation, place: Place): Effect {
  const { contract, functionName, args } = call
  const [types = '', read] = (Object.hasOwn(functions, functionName) && functions[functionName]) || []
  const values = args.map((arg, index) => readArgument(arg, types[index]))
  const isToken = read !== undefined && args.length === types.length && !values.includes(undefined)
  // All arguments could be decoded.
  const described = isToken ? read(values as Value[], call, place) : otherCall(call, place)
  if (contract === '') return described
  return { ...described, lines: [...described.lines, line('contract', accountValue(contract, place))] }
}

function readArgument(arg: string, type: string | undefined): Value | undefined {
  const value = xdr.ScVal.fromXDR(arg, 'base64')
  const { name } = value.switch()
  if (type === 'a' && name === 'scvAddress') return Address.fromScVal(value).toString()
  if (type === 'i' && name === 'scvI128') {
    // Token contracts reject negative amounts.
    const amount = scValToBigInt(value)
    return amount < 0n ? undefined : amount
  }
  return type === 'u' && name === 'scvU32' ? value.u32() : undefined
}

function otherCall({ contract, functionName, args }: Invocation, place: Place): Effect {
  const unknown = finding(
    'warning',
    'UNKNOWN_OPERATION',
    'The request calls a contract whose effect is unknown.',
    { field: 'call', fix: 'Sign it only if you trust the site that asks.' },
  )
  // This is an authorization to create a contract.
  if (contract === '') return stellarEffect('create', {}, { findings: [unknown] })
  const values = { function: textValue(showName(functionName)), contract: accountValue(contract, place) }
  return stellarEffect('call.contract', values, {
    lines: args.map((arg, index) => fieldLine(`${index + 1}`, argumentValue(arg, place))),
    findings: [unknown],
  })
}

function argumentValue(arg: string, place: Place): InspectionValue {
  const value = xdr.ScVal.fromXDR(arg, 'base64')
  if (value.switch().name === 'scvAddress') return accountValue(Address.fromScVal(value).toString(), place)
  const text = argumentText(value)
  return textValue(text.length > longestList ? `${text.slice(0, longestList)}…` : text)
}

/** Formats a value, including the items of lists and maps: a user must see the site of a sign-in (SEP-45) or the amounts in a list. */
function argumentText(value: Xdr.ScVal): string {
  const { name } = value.switch()
  switch (name) {
    case 'scvAddress':
      return Address.fromScVal(value).toString()
    case 'scvVoid':
      return 'none'
    case 'scvBool':
      return `${value.b()}`
    case 'scvU32':
    case 'scvI32':
    case 'scvU64':
    case 'scvI64':
    case 'scvU128':
    case 'scvI128':
      return `${scValToBigInt(value)}`
    case 'scvSymbol':
      return showName(`${value.sym()}`)
    case 'scvString':
      return showText(`${value.str()}`, longestValue)
    case 'scvBytes':
      return showText(hexOf(value.bytes()), longestValue)
    case 'scvVec':
      return `[${(value.vec() ?? []).map(argumentText).join(', ')}]`
    case 'scvMap':
      return `{${(value.map() ?? []).map((one) => `${argumentText(one.key())}: ${argumentText(one.val())}`).join(', ')}}`
    default:
      return showText(value.toXDR('base64'), longestValue)
  }
}

const longestList = 1_000
const longestValue = 80

/** USDC's contract is known from the network, and XLM's is derived from the passphrase. */
function symbolOf(contract: string, { network }: Place): 'USDC' | 'XLM' | undefined {
  if (contract === network.usdc.contract) return network.usdc.code
  return contract === Asset.native().contractId(network.networkPassphrase) ? 'XLM' : undefined
}

function tokenAmount(amount: bigint | 'unlimited', contract: string, place: Place): InspectionValue {
  const symbol = symbolOf(contract, place)
  return { type: 'amount', amount, decimals: symbol && 7, symbol, token: contract }
}

function transfer(
  [from, to, value]: readonly Value[],
  { contract: asset }: Invocation,
  place: Place,
): Effect {
  const [payer, receiver, amount] = [String(from), String(to), BigInt(String(value))]
  const isOut = isOwn(payer, place)
  const values = {
    amount: tokenAmount(amount, asset, place),
    to: accountValue(receiver, place),
    from: accountValue(payer, place),
  }
  const decimals = symbolOf(asset, place) && 7
  return stellarEffect(isOut ? 'send' : 'sendFrom', values, {
    lines: [...(isOut ? [] : [line('payer', values.from)]), line('receiver', values.to)],
    moves: [moveOf({ asset, amount, decimals, from: payer, to: receiver }, place)],
  })
}

function burn([from, value]: readonly Value[], { contract: asset }: Invocation, place: Place): Effect {
  const [payer, amount] = [String(from), BigInt(String(value))]
  const values = { amount: tokenAmount(amount, asset, place) }
  const decimals = symbolOf(asset, place) && 7
  const burned = stellarEffect('burn', values, {
    lines: [line('payer', accountValue(payer, place))],
    moves: [moveOf({ asset, amount, decimals, from: payer, to: '' }, place)],
    findings: [
      finding('warning', 'EXTRA_TRANSFER', 'The request destroys tokens.', {
        field: 'call',
        fix: 'Sign it only if you want this effect.',
      }),
    ],
  })
  return ofOwner(payer, burned, place)
}

/** Names the owner of the tokens in the sentence of a call, unless it is the user's account. */
function ofOwner(owner: string, described: Effect, place: Place): Effect {
  if (isOwn(owner, place) || owner === place.signsFor) return described
  const values = { account: accountValue(owner, place), call: sentenceValue(described.sentence) }
  return { ...described, sentence: stellarSentence('authorize', values), isForeign: true }
}

/** A billion tokens of 7 decimals: more than a user would approve on purpose. */
const mostKnown = 10n ** 16n
/** The decimals of other tokens are unknown, so only the usual maximum amounts count as an unlimited approval. */
const isMost = (amount: bigint) => amount === (1n << 63n) - 1n || amount >= (1n << 96n) - 1n

function approval(
  [from, to, value, ledger]: readonly Value[],
  { contract: asset }: Invocation,
  place: Place,
): Effect {
  const [owner, spender, allowed] = [String(from), String(to), BigInt(String(value))]
  const symbol = symbolOf(asset, place)
  const isAll = symbol !== undefined ? allowed >= mostKnown : isMost(allowed)
  const amount = isAll ? 'unlimited' : allowed
  const isLoss = (isOwn(owner, place) || owner === place.signsFor) && place.known?.[spender] === undefined
  const values = {
    spender: accountValue(spender, place),
    amount: tokenAmount(amount, asset, place),
    contract: accountValue(asset, place),
  }
  const lines = [line('spender', values.spender)]
  if (allowed === 0n)
    return ofOwner(
      owner,
      stellarEffect(symbol === 'USDC' ? 'revoke.usdc' : 'revoke.token', values, { lines }),
      place,
    )
  const allowance = stellarEffect(isAll ? 'allow' : 'allow.upTo', values, {
    lines: [...lines, line('ledger', textValue(String(ledger)))],
    grants: [{ asset, amount, decimals: symbol && 7, from: owner, to: spender, until: undefined }],
    findings: [approvalFinding({ spender, isAll, isLoss }, 'call')],
  })
  return ofOwner(owner, allowance, place)
}
