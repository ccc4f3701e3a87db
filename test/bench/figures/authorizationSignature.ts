import { hashUsdcAuthorization, signUsdcAuthorization } from 'redeemkit/evm'
import { privateKeyToAccount, sign } from 'viem/accounts'
import type { Figure } from '../figure.ts'
import { ratio } from '../ratio.ts'
import { authorization, chainId, privateKey } from './authorization.ts'

export const authorizationSignature: Figure = {
  name: 'authorization-signature',
  about: 'signing a USDC authorization against the raw curve signature',
  measure: async () => {
    const account = privateKeyToAccount(privateKey)
    const type = 'ReceiveWithAuthorization'
    const hashes = Array.from({ length: 1024 }, (_, turn) =>
      hashUsdcAuthorization({ chainId, type, authorization: authorization(turn) }),
    )
    const ours = (turn: number) =>
      signUsdcAuthorization(account, { chainId, type, authorization: authorization(turn) })
    const theirs = (turn: number) => sign({ hash: hashes[turn % 1024] ?? '0x', privateKey, to: 'hex' })
    if ((await ours(1)) !== (await theirs(1)))
      throw new Error('The two signatures differ; a ratio would mean nothing.')
    return [
      {
        figure: 'signature of a USDC authorization, against the raw curve signature',
        value: await ratio({ ours, theirs }),
        goal: 0.85,
        better: 'higher',
        unit: '×',
      },
    ]
  },
}
