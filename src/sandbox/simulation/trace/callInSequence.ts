import { concat, type Hex, numberToHex, pad, size } from 'viem'
import { askNode, type EvmClient, toQuantity, unusableAnswer } from '../../../redeemkit/evm/client.ts'
import { callOf, overridesOf, type SimulatedCall } from './traceCall.ts'

export type SequenceCall = {
  to: Hex
  data: Hex
  value?: bigint | undefined
  /** Gas limit of the call. Default: all but 1/64 of the remaining gas. */
  gas?: bigint | undefined
}

export type SequenceResult = {
  succeeded: boolean
  /** Length of the return data in bytes. */
  size: number
  /** The first two words of the return data. Missing words are zero. */
  words: readonly [bigint, bigint]
}

/**
 * Bytecode that makes a sequence of calls and ignores failures. A state override places it at the calling account. For every caller
 * except the transaction sender, it behaves like `agreeableCode`.
 *
 * Input: the number of calls, then `to`, `value`, `gas`, data length and data of each call. Output: for each call its success, the length
 * of its return data, and the first two words of it.
 */
export const sequenceCode: Hex = concat([
  '0x333214601757', // if (caller == origin) goto play
  '0x60003560e01c60e01b60005260206000f3', // the code of agreeableCode
  '0x5b60206000', // play: input = 32, output = 0
  '0x5b3682106026576000f3', // next: if (input >= calldatasize) return memory[0 .. output]
  '0x5b8160600135808360800160003560071b37', // copy the data to the memory after the output
  '0x6040826040018260003560071b866020013587358860400135f1', // call
  '0x82523d826020015282016080019150608001601c56', // write success and size, then jump to next
])

export function sequenceData(calls: readonly SequenceCall[]): Hex {
  return concat([
    word(BigInt(calls.length)),
    ...calls.flatMap(({ to, data, value = 0n, gas = allGas }) => [
      pad(to),
      word(value),
      word(gas),
      word(BigInt(size(data))),
      data,
    ]),
  ])
}

const word = (value: bigint): Hex => numberToHex(value, { size: 32 })
const allGas = 2n ** 256n - 1n

export async function callInSequence(
  client: EvmClient,
  at: Pick<SimulatedCall, 'blockNumber' | 'overrides'>,
  options: { as: Hex; calls: readonly SequenceCall[]; gas?: bigint | undefined },
): Promise<readonly SequenceResult[]> {
  const { as, calls, gas = mostGas } = options
  if (calls.length === 0) return []
  const call = { from: as, to: as, data: sequenceData(calls), gas, blockNumber: at.blockNumber }
  const overrides = { ...at.overrides, [as]: { ...at.overrides[as], code: sequenceCode } }
  const params = [
    callOf({ ...call, overrides }),
    toQuantity(at.blockNumber),
    overridesOf({ ...call, overrides }),
  ]
  const answer = await askNode(client, 'eth_call', params)
  if (typeof answer !== 'string' || answer.length !== 2 + calls.length * 256)
    throw unusableAnswer(answer, 'eth_call')
  return calls.map((_, index) => {
    const at = (place: number) =>
      BigInt(`0x${answer.slice(2 + index * 256 + place * 64, 2 + index * 256 + (place + 1) * 64)}`)
    return { succeeded: at(0) === 1n, size: Number(at(1)), words: [at(2), at(3)] as const }
  })
}

/** Gas limit, enough for a redeem and the reads before and after it. */
const mostGas = 29_000_000n
