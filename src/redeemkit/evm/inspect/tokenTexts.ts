import { evmNetworks } from '../../core/evmNetworks.ts'
import { approvalFinding, type Finding } from '../../core/finding/finding.ts'
import type { InspectionValue } from '../../core/inspection/inspection.ts'
import { addressValue, century, tokenValue } from '../../core/inspection/values.ts'
import { absurdAmount } from '../../core/limits.ts'
import type { KnownToken, ReadContext } from '../creditPermit/inspectOptions.ts'
import { pinsOn } from '../creditPermit/pinFor.ts'
import { nameOf, wrongChain } from '../findingTexts.ts'
import { sameHex } from '../values.ts'

/** Approvals of this amount or more are shown as "all": many tokens store amounts in 96 bits. */
const unlimited = (1n << 96n) - 1n

export type Place = { chainId: number | undefined; context: ReadContext }

/** Returns decimals and symbol of a token, if it is the chain's USDC or the context knows it. Never guesses. */
function tokenOf(token: string, { chainId, context }: Place): KnownToken | undefined {
  const pinned = context.pinned?.filter((pin) => pin.chainId === undefined || pin.chainId === chainId) ?? []
  const usdc = [
    ...pinned.map((pin) => pin.usdc?.address),
    evmNetworks.find((one) => one.chainId === chainId)?.usdc?.address,
  ]
  return usdc.some((address) => sameHex(address, token))
    ? { decimals: 6, symbol: 'USDC' }
    : context.tokenOf?.(token, chainId ?? 0)
}

export const decimalsOf = (token: string, place: Place) => tokenOf(token, place)?.decimals

export const isUsdc = (token: string, place: Place) => tokenOf(token, place)?.symbol === 'USDC'

/** Whether an asset is the native coin or a token with a known name. Anyone can create any other token or NFT. */
export const isNamed = (asset: string, place: Place) =>
  asset === 'native' || tokenOf(asset, place)?.symbol !== undefined

export function isUnlimited(amount: bigint, token: string, place: Place): boolean {
  return amount >= (decimalsOf(token, place) === undefined ? unlimited : absurdAmount)
}

/** Returns the expiry of a right in unix seconds; `undefined` if it is more than a century away, which counts as no expiry. */
export const endOf = (end: bigint | undefined, now: bigint) =>
  end === undefined || end > now + century ? undefined : end

/** Returns an amount of a token for a sentence: `4.00 USDC`, `all of your USDC`, `5 raw units of the token 0x…`. */
export function amountOf(amount: bigint | 'unlimited', token: string, place: Place): InspectionValue {
  const known = tokenOf(token, place)
  return tokenValue(amount, known?.symbol === 'USDC' ? 'USDC' : { token, ...known })
}

export function coinValue(amount: bigint, { chainId }: Place): InspectionValue {
  const coin = evmNetworks.find((one) => one.chainId === chainId)?.coin
  return coin === undefined
    ? { type: 'amount', amount, decimals: 0, symbol: 'wei' }
    : { type: 'amount', amount, decimals: 18, symbol: coin }
}

export const namedAddress = (address: string, place: Place): InspectionValue =>
  addressValue(address, nameAt(address, place))

export const nameAt = (address: string, { chainId, context }: Place) =>
  nameOf(address, { known: context.known, pinned: pinsOn(chainId, context) })

export const approvalFindings = (
  { spender, isAll, field }: { spender: string; isAll: boolean; field: string },
  place: Place,
): Finding[] => [approvalFinding({ spender, isAll, isLoss: nameAt(spender, place) === undefined }, field)]

export function walletChainFindings(
  chainId: number | undefined,
  context: ReadContext,
  field: string,
): Finding[] {
  if (chainId === undefined || context.chainId === undefined || chainId === context.chainId) return []
  return [wrongChain(chainId, { where: 'your wallet is on', other: context.chainId, field })]
}
