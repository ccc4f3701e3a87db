import { hashUsdcAuthorization } from 'redeemkit/evm'
import { hashTypedData } from 'viem'
import type { Figure } from '../figure.ts'
import { ratio } from '../ratio.ts'
import { authorization, chainId, generalTypedData } from './authorization.ts'

export const authorizationHash: Figure = {
  name: 'authorization-hash',
  about: "typed-data hash of a USDC authorization against viem's hashTypedData",
  measure: async () => {
    const ours = (turn: number) =>
      hashUsdcAuthorization({ chainId, type: 'ReceiveWithAuthorization', authorization: authorization(turn) })
    const theirs = (turn: number) => hashTypedData(generalTypedData(turn))
    if (ours(1) !== theirs(1)) throw new Error('The two hashes differ; a ratio would mean nothing.')
    return [
      {
        figure: 'hash of a USDC authorization, against viem hashTypedData',
        value: await ratio({ ours, theirs }),
        goal: 4,
        better: 'higher',
        unit: '×',
      },
    ]
  },
}
