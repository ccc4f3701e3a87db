import type { Address } from 'viem'
import { usdcDecimals } from '../../core/amount/centsToAmount.ts'
import type { InspectionValue } from '../../core/inspection/inspection.ts'
import { tempoSentences } from '../../core/inspection/tempoSentences.ts'
import { addressValue, sentencesOf, sentenceValue, tokenValue } from '../../core/inspection/values.ts'
import { isTip20, tempoTokenName } from '../network.ts'

type TokenPlace = { contract: Address; chainId: number }

/** Returns decimals and name of a TIP-20 token; `undefined` for any other contract. */
export const tip20Of = (contract: string, chainId: number) =>
  isTip20(contract) ? { decimals: usdcDecimals, symbol: tempoTokenName(contract, chainId) } : undefined

/** Returns an amount of a token as a value of a sentence: in raw units if the contract is not a TIP-20 token, whose decimals are known. */
export const amountValue = (
  amount: bigint | 'unlimited',
  { contract, chainId }: TokenPlace,
): InspectionValue => tokenValue(amount, { token: contract, ...tip20Of(contract, chainId) })

/** Returns a contract as a value of a sentence, with its name if it is a known token. */
export const contractValue = ({ contract, chainId }: TokenPlace): InspectionValue =>
  addressValue(contract, tempoTokenName(contract, chainId))

/** Creates a sentence. If only Tempo has it, it includes its English text. */
export const tempoSentence = /* @__PURE__ */ sentencesOf(tempoSentences)

/** Creates a sentence, or a part of one, as a value in another sentence. */
export const partValue = (...part: Parameters<typeof tempoSentence>): InspectionValue =>
  sentenceValue(tempoSentence(...part))
