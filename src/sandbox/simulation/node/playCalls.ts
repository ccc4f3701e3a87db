import { concat, type Hex, numberToHex, pad, size } from 'viem'
import type { ChainReadError, EvmClient } from '../../../redeemkit/evm/client.ts'
import { askNode, toQuantity, unusableAnswer } from '../../../redeemkit/evm/client.ts'
import { callOf, overridesOf, type TriedCall } from './traceCall.ts'

/** One call of several. */
export type PlayedCall = {
  to: Hex
  data: Hex
  value?: bigint | undefined
  /** The most that it gets; default: all but 1/64 of what is left. */
  gas?: bigint | undefined
}

/** What came of it. */
export type PlayedAnswer = {
  succeeded: boolean
  /** Of the answer, in bytes. */
  size: number
  /** The first two words, zero where there are none. */
  words: readonly [bigint, bigint]
}

/**
 * Code that makes calls one after the other, whatever comes of each, when the sender of the transaction calls it: put in an
 * account's place, it makes them as that account. Whoever else calls it is agreed with, as by `agreeableCode`.
 *
 * Input: their number, then `to`, `value`, `gas`, length and data of each. Output: of each whether it succeeded, the length of
 * its answer, and the first two words.
 */
export const playerCode: Hex = concat([
  '0x333214601757', // if (caller == origin) goto play
  '0x60003560e01c60e01b60005260206000f3', // as agreeableCode
  '0x5b60206000', // play: input = 32, output = 0
  '0x5b3682106026576000f3', // next: if (input >= calldatasize) return memory[0 .. output]
  '0x5b8160600135808360800160003560071b37', // copy the data behind the output
  '0x6040826040018260003560071b866020013587358860400135f1', // call
  '0x82523d826020015282016080019150608001601c56', // write success and size; on to the next
])

/** The input of `playerCode`. */
export function playData(calls: readonly PlayedCall[]): Hex {
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

/**
 * Makes calls one after the other, in one `eth_call`, as an account: `from` of the call, which stands for the relayer, or for
 * the credits contract.
 *
 * @throws ChainReadError
 */
export async function playCalls(
  client: EvmClient,
  at: Pick<TriedCall, 'blockNumber' | 'overrides'>,
  options: { as: Hex; calls: readonly PlayedCall[]; gas?: bigint | undefined },
): Promise<readonly PlayedAnswer[]> {
  const { as, calls, gas = mostGas } = options
  if (calls.length === 0) return []
  const call = { from: as, to: as, data: playData(calls), gas, blockNumber: at.blockNumber }
  const overrides = { ...at.overrides, [as]: { ...at.overrides[as], code: playerCode } }
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

export declare namespace playCalls {
  type ErrorType = ChainReadError
}

/** Room for a redeem and what is asked around it. */
const mostGas = 29_000_000n
