import type { Address } from 'viem'
import { usdcDecimals } from '../../core/amount/centsToAmount.ts'
import type { InspectionValue } from '../../core/inspection/inspection.ts'
import { tempoSentences } from '../../core/inspection/tempoSentences.ts'
import { addressValue, sentencesOf, sentenceValue, tokenValue } from '../../core/inspection/values.ts'
import { isTip20, tempoTokenName } from '../network.ts'

type TokenPlace = { contract: Address; chainId: number }

/** Decimals and name of a TIP-20 token; `undefined` for any other contract. */
export const tip20Of = (contract: string, chainId: number) =>
  isTip20(contract) ? { decimals: usdcDecimals, symbol: tempoTokenName(contract, chainId) } : undefined

/** An amount of a TIP-20 token; raw units for any other contract, because its decimals are unknown. */
export const amountValue = (
  amount: bigint | 'unlimited',
  { contract, chainId }: TokenPlace,
): InspectionValue => tokenValue(amount, { token: contract, ...tip20Of(contract, chainId) })

/** A contract, with its name if it is a known token. */
export const contractValue = ({ contract, chainId }: TokenPlace): InspectionValue =>
  addressValue(contract, tempoTokenName(contract, chainId))

/** A sentence of Tempo, with its English text unless it is common to all chains. */
export const tempoSentence = /* @__PURE__ */ sentencesOf(tempoSentences)

/** A sentence or part of a sentence, as a value in another. */
export const partValue = (...part: Parameters<typeof tempoSentence>): InspectionValue =>
  sentenceValue(tempoSentence(...part))
