import type { Address } from 'viem'
import { usdcDecimals } from '../../core/amount.ts'
import type { InspectionValue } from '../../core/inspection/inspection.ts'
import { tempoSentences } from '../../core/inspection/tempoSentences.ts'
import { addressValue, sentencesOf, sentenceValue, tokenValue } from '../../core/inspection/values.ts'
import { isTip20, tempoTokenName } from '../network.ts'

type TokenPlace = { contract: Address; chainId: number }

/** Returns decimals and name of a TIP-20 token; `undefined` for any other contract. */
export const tip20Of = (contract: string, chainId: number) =>
  isTip20(contract) ? { decimals: usdcDecimals, symbol: tempoTokenName(contract, chainId) } : undefined

/** Shows raw units if the token's decimals are unknown. */
export const amountValue = (
  amount: bigint | 'unlimited',
  { contract, chainId }: TokenPlace,
): InspectionValue => tokenValue(amount, { token: contract, ...tip20Of(contract, chainId) })

export const contractValue = ({ contract, chainId }: TokenPlace): InspectionValue =>
  addressValue(contract, tempoTokenName(contract, chainId))

/** A sentence that only Tempo uses includes its English text. */
export const tempoSentence = /* @__PURE__ */ sentencesOf(tempoSentences)

/** Creates a sentence, or a part of a sentence, to embed in another sentence. */
export const partValue = (...part: Parameters<typeof tempoSentence>): InspectionValue =>
  sentenceValue(tempoSentence(...part))
