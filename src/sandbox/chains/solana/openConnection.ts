import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import type { Connection } from '../../../redeemkit/solana/usdcTransfer/prepareUsdcTransfer.ts'
import { requestMs } from '../connectEvmChain.ts'

/** Connects to a Solana node over `fetch`, with the methods `redeemkit/solana` needs and without web3.js. */
export function openConnection(rpcUrl: string): openConnection.ReturnType {
  const call = async <result>(method: string, ...params: unknown[]): Promise<result> => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(requestMs),
    })
    // The caller names the method's result type.
    const answer = (await response.json()) as { result: result; error?: { message: string; data?: unknown } }
    if (answer.error !== undefined)
      throw new SolanaRpcError(`The node rejected ${method}: ${answer.error.message}.`, {
        data: answer.error.data,
      })
    return answer.result
  }
  const commitment = 'confirmed'
  return {
    getGenesisHash: () => call('getGenesisHash'),
    getEpochInfo: (asked: string = commitment) => call('getEpochInfo', { commitment: asked }),
    getMinimumBalanceForRentExemption: (length) => call('getMinimumBalanceForRentExemption', length),
    getLatestBlockhash: async () => {
      const { value } = await call<{ value: { blockhash: string; lastValidBlockHeight: number } }>(
        'getLatestBlockhash',
        { commitment },
      )
      return value
    },
    getAccountInfo: async (publicKey: { toBase58(): string }) => {
      const { value } = await call<{ value: { owner: string; data: [string, string] } | null }>(
        'getAccountInfo',
        publicKey.toBase58(),
        { commitment, encoding: 'base64' },
      )
      if (value === null) return null
      const { owner, data } = value
      return { owner: { toBase58: () => owner }, data: Buffer.from(data[0], 'base64') }
    },
    sendRawTransaction: (bytes) =>
      call('sendTransaction', Buffer.from(bytes).toString('base64'), {
        encoding: 'base64',
        preflightCommitment: commitment,
      }),
    getSignatureStatuses: (signatures, config) => call('getSignatureStatuses', signatures, config ?? {}),
  }
}

export declare namespace openConnection {
  type ReturnType = Connection
}

class SolanaRpcError extends BaseError {
  override readonly name = 'SolanaRpcError'
  /** The node's error data: `err` and the program's logs. */
  readonly data: unknown

  constructor(shortMessage: string, options: BaseError.Options & { data: unknown }) {
    super(shortMessage, options)
    this.data = options.data
  }
}
