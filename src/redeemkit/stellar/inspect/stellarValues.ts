import { showText } from '../../core/errors/showValue.ts'
import type { Move } from '../../core/finding/finding.ts'
import { effect } from '../../core/inspection/effect.ts'
import type { InspectionValue } from '../../core/inspection/inspection.ts'
import { stellarSentences } from '../../core/inspection/stellarSentences.ts'
import { addressValue, sentencesOf, sentenceValue } from '../../core/inspection/values.ts'
import type { Asset } from '../sdk.ts'
import { baseAddress } from '../values.ts'
import type { InspectionContext } from './context.ts'

export type Place = Pick<InspectionContext, 'address' | 'network' | 'known'> & {
  /** The account for which the wallet may sign as a delegate. Its losses count as the user's. */
  signsFor?: string
  /** Accounts whose control the wallet cannot give away: they are new, or it signs only for the fee of a fee bump. */
  harmless?: readonly string[]
}

/** Whether an account, or the `G…` account of a muxed account, is the wallet's. */
export const isOwn = (account: string, { address }: Place) => baseAddress(account) === address

export function accountValue(account: string, { known = {} }: Pick<Place, 'known'>): InspectionValue {
  const name = known[account]
  return addressValue(account, name === undefined ? undefined : showText(name))
}

/** Returns "your account" for the wallet's account, otherwise the address. */
export const ownerValue = (account: string, place: Place): InspectionValue =>
  isOwn(account, place) ? sentenceValue(stellarSentence('account.yours')) : accountValue(account, place)

/** Whether an asset is the network's XLM or USDC. Other accounts can issue assets with the same names. */
export const isKnownAsset = (asset: Asset, { network }: Place) =>
  asset.isNative() || (asset.getCode() === network.usdc.code && asset.getIssuer() === network.usdc.issuer)

/** Returns an amount of an asset: `5 XLM`, `2.50 USDC`, `7 AQUA (GBNZ…AQUA)`. */
export function assetAmount(asset: Asset, amount: bigint, place: Place): InspectionValue {
  const code = asset.isNative() ? 'XLM' : asset.getCode()
  // Without quotes, "1 000XLM" could be read as one number.
  const shown = /^\d/.test(code) ? showText(code) : code
  const symbol = isKnownAsset(asset, place) ? code : `${shown} (${shortKey(asset.getIssuer())})`
  return { type: 'amount', amount, decimals: 7, symbol }
}

const shortKey = (key: string) => `${key.slice(0, 4)}…${key.slice(-4)}`

export const moveOf = (move: Omit<Move, 'direction'>, place: Place): Move => ({
  direction: isOwn(move.from, place) ? 'out' : isOwn(move.to, place) ? 'in' : 'other',
  ...move,
})

export const assetMove = (
  { asset, amount, from, to }: { asset: Asset; amount: bigint; from: string; to: string },
  place: Place,
): Move => moveOf({ asset: asset.toString(), amount, decimals: 7, from, to }, place)

/** A sentence that only Stellar uses includes its English text. */
export const stellarSentence = /* @__PURE__ */ sentencesOf(stellarSentences)

export const stellarEffect = (
  ...[key, values, more]: [...Parameters<typeof stellarSentence>, Parameters<typeof effect>[1]?]
) => effect(stellarSentence(key, values), more)
