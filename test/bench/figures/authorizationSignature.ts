import { hashUsdcAuthorization, signUsdcAuthorization } from 'redeemkit/evm'
import { type Hex, numberToHex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import type { Figure } from '../figure.ts'
import { ratio } from '../ratio.ts'

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

/** One authorization of many: another nonce and value each turn, so that nothing can be remembered from the last. */
export function authorization(turn: number) {
  return {
    from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    value: 4_000_000n + BigInt(turn),
    validAfter: 0n,
    validBefore: 1_900_000_000n,
    nonce: numberToHex(BigInt(turn) + 1n, { size: 32 }),
  } as const
}

export const chainId = 8453

/** Anvil's first published test key: no secret. */
const privateKey: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
